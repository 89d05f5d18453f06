/** A tab of a browser as a visitor with an empty profile uses it: the part that all drivers have in common. */
export interface Tab {
  goto(url: string): Promise<void>
  /** Calls a function in the page. Its argument and result must be JSON. */
  evaluate<A, R>(call: (argument: A) => R, argument: A): Promise<R>
  /** Clicks the element that the function returns. Rejects if there is none. */
  click<A>(find: (argument: A) => Element | undefined, argument: A): Promise<void>
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>
  /** Pastes from the clipboard into the element that has the focus. */
  paste(): Promise<void>
  /** Deletes the cookies, as if the visitor had another browser. */
  forget(): Promise<void>
  /** The text of all frames in the page, also of sandboxed frames and of frames within frames. */
  textOfFrames(): Promise<string>
}

export interface OpenBrowser {
  /** Name and version. */
  version: string
  tab: Tab
  close(): Promise<void>
}
