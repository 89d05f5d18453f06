/** An image whose alternative text may be a code. */
const ALT_WITH_CODE =
  /<img\s[^<>]{0,1000}\balt\s*=\s*["'][^"'<>]{0,300}?(?:(?:\d[\s-]?){4}|(?=[A-Z]{0,4}\d)[A-Z\d]{5})/i
/** An image of one digit or letter. */
const ALT_OF_ONE = /<img\s[^<>]{0,1000}?\balt\s*=\s*(?:["']\s?)?[A-Z\d]\s?(?=["'\s/>])/gi
/** As many make a code. */
const FEWEST = 4

/** Returns whether the alternative texts of images may have a code: one of them, or one digit each. */
export const imagesMayHaveCode = (html: string): boolean =>
  ALT_WITH_CODE.test(html) || (html.match(ALT_OF_ONE)?.length ?? 0) >= FEWEST
