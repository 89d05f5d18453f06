/**
 * Makes a function that loads a file on demand. It rejects at once if the device is offline and the file is not loaded:
 * some browsers keep the failure of an import, and then refuse the file until the page is loaded again.
 */
export function fileLoader<T>(load: () => Promise<T>): () => Promise<T> {
  let file: T | undefined
  return async () => {
    // Undefined on the server.
    if (file === undefined && navigator.onLine === false) throw new Error('The device is offline')
    return (file ??= await load())
  }
}
