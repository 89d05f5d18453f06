/**
 * Does work once, although its request may be repeated because the response was lost. `find` returns the result if the
 * work was done. It is asked again if the work fails, because the first request may still have been running.
 */
export async function once<T>(find: () => Promise<T | undefined>, work: () => Promise<T>): Promise<T> {
  const done = await find()
  if (done !== undefined) return done
  try {
    return await work()
  } catch (error) {
    const meanwhile = await find()
    if (meanwhile !== undefined) return meanwhile
    throw error
  }
}
