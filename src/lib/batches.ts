/** Rows of one look into a table. */
export const PAGE = 100

/** All rows of a table, page by page; `read` answers `PAGE` of them after the one whose id it is given. */
export async function* pages<T extends { id: string }>(read: (after?: string) => Promise<T[]>): AsyncGenerator<T> {
  let page: T[] = []
  do {
    page = await read(page.at(-1)?.id)
    yield* page
  } while (page.length === PAGE)
}
