// DAWCompiler: Project → RenderPlan, pure; the only target that sees both, and it does no input or output.
