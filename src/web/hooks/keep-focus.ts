export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true })

/** A ref for what may have the focus when it is removed: the focus moves to the page. */
export const keepFocus = (box: HTMLElement | null) => (): void => {
  if (box?.contains(document.activeElement)) focusMain()
}
