// oxlint-disable-next-line no-control-regex -- they are what is meant
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

/** A text that strangers wrote, without what a terminal would obey. */
export const harmless = (text: string): string => text.replace(CONTROLS, '\uFFFD')
