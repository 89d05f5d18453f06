/** Closes the popovers of the header. Client-side navigation would leave them open. */
export function closePanels(): void {
  for (const panel of document.querySelectorAll<HTMLElement>(':popover-open')) panel.hidePopover()
}
