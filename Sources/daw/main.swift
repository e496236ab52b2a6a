import DAWCommands

Program.main()
