#include "run.h"

int main(int argc, char **argv)
{
	return ptx_run(argc, argv);
}
