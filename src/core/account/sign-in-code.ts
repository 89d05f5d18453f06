/** `481920753` -> `481 920 753`; isolated, so that the groups keep their order in a text that runs from right to left. */
export const codeText = (code: string): string => `\u2066${code.replaceAll(/\d{3}(?=\d)/g, '$& ')}\u2069`
