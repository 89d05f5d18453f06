/** Closes the popovers of the header: a page that is followed in place leaves them open. */
export function closePanels(): void {
  for (const panel of document.querySelectorAll<HTMLElement>(':popover-open')) panel.hidePopover()
}
