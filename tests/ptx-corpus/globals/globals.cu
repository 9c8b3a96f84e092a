/* Module-scope state: constant tables, initialised and zeroed variables, a pointer to another variable, structs with
 * padding, values that outlive a launch. */
#include "../cuda_compat.h"

struct entry {
	char tag;
	short weight;
	double scale;
	const int *table;
};

__constant__ int primes[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
__device__ int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__device__ int cubes[8] = {0, 1, 8, 27, 64, 125, 216, 343};
__device__ entry entries[3] = {{'a', 3, 0.5, squares}, {'b', -7, 2.25, cubes}, {'c', 100, -1.0, squares + 2}};
__device__ unsigned crc_table[256];
__device__ unsigned visits;
__device__ unsigned long long checksum = 0x123456789abcdefull;
__device__ float coefficient = 1.5f;
__constant__ double limits[2] = {-1000.0, 1000.0};
__constant__ uint8_t order[16] = {15, 3, 9, 0, 12, 6, 1, 14, 8, 2, 11, 5, 7, 13, 4, 10};
__device__ int *cursor = &squares[3];

KERNEL crc_init(void)
{
	unsigned c = threadIdx.x;
	for (int k = 0; k < 8; k++)
		c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
	crc_table[threadIdx.x] = c;
	if (threadIdx.x == 0)
		visits = visits + 1;
}

KERNEL crc_rows(const uint8_t *data, int row, int n, unsigned *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned c = ~0u;
	for (int k = 0; k < row; k++)
		c = crc_table[(c ^ data[i * row + k]) & 255] ^ c >> 8;
	out[i] = ~c;
	atomicAdd(&visits, 1u);
	atomicAdd(&checksum, (unsigned long long)out[i]);
}

KERNEL tables(double *out, int *mixed, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const entry *e = &entries[i % 3];
	double v = e->scale * e->table[i & 3] + e->weight + (e->tag - 'a');
	v *= coefficient;
	out[i] = v < limits[0] ? limits[0] : v > limits[1] ? limits[1] : v;
	mixed[i] = primes[i % 12] * order[i & 15] + *cursor;
}

/* One thread changes what the next launch of tables sees. */
KERNEL change(void)
{
	coefficient = coefficient * 2.0f - 0.25f;
	entries[1].table = entries[2].table - 1;
	entries[2].weight = -entries[2].weight;
	cursor++;
	squares[4] = 1000;
}
