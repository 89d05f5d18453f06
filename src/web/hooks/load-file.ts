import { lost } from '../api/api.ts'

/**
 * Makes a function that loads a file on demand. It throws `offline` if that fails. If the device is offline and the file is not
 * loaded, it does not try: some browsers keep the failure of an import, and then refuse the file until the page is loaded
 * again.
 */
export function fileLoader<T>(load: () => Promise<T>): () => Promise<T> {
  let file: T | undefined
  return async () => {
    // Undefined on the server.
    if (file === undefined && navigator.onLine === false) lost()
    return (file ??= await load().catch(lost))
  }
}
