// DAWEngine: the render plan and its runner, and the reading of files for it; cannot see the model.
