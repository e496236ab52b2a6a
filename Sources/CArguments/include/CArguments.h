// CArguments: the words of this process's command line, as the C library hands them to constructors. Swift's own
// `CommandLine` reads /proc, and is empty where that cannot be read.
#pragma once

/// How many words there are, the program's own name included; 0 where the process was started without any.
int daw_argument_count(void);

/// The word at `index`, 0 … `daw_argument_count()` - 1; never freed.
const char *daw_argument(int index);
