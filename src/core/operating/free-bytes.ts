/** Smaller pieces may lie in a pool that others use, and are collected soon enough. */
const FROM_BYTES = 256 * 1024

/**
 * Gives the memory of bytes back at once, rather than when the garbage collector finds out; nobody may use them after that. Each
 * thread would let tens of megabytes lie before it looks. Passes over what is small.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FROM_BYTES) buffer.transfer(0)
}
