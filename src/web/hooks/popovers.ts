/** Selects the open popovers. A browser that has none would refuse the name; inside of `:is()` it is ignored. */
export const OPEN_POPOVER = ':is(:popover-open)'

/** Client-side navigation would leave them open. */
export function closePopovers(): void {
  for (const each of document.querySelectorAll<HTMLElement>(OPEN_POPOVER)) each.hidePopover()
}
