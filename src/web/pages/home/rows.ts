export const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('tr[data-id]')]
export const rowOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('tr[data-id]') ?? null
export const linkOf = (row: Element | undefined): HTMLElement | null => row?.querySelector<HTMLElement>('a') ?? null

/**
 * Moves the focus to the row after those that disappear, else to the one before, else to the page. Nothing scrolls: the
 * row takes their place.
 */
export function focusBeside(ids: readonly string[]): void {
  const all = rows()
  const gone = ({ dataset }: HTMLElement): boolean => ids.includes(dataset.id ?? '')
  const last = all.findLastIndex(gone)
  const row = all[last + 1] ?? all.findLast((each) => !gone(each))
  const target = linkOf(row) ?? document.getElementById('main')
  target?.focus({ preventScroll: true })
}
