/** A text of the site in one language, as the payload of its page carries it. */
export interface TextJson {
  title: string
  description: string
  /** Separated by commas. */
  keywords: string
  /** Safe HTML, made from Markdown of our own: headings from `h2` on. The document of a page leaves it out of its payload. */
  html: string
}

/** A question with its answer as HTML. */
export interface QuestionJson {
  id: string
  question: string
  html: string
}

export interface FaqJson extends TextJson {
  questions: QuestionJson[]
}

/** An article in a list. `date` is `YYYY-MM-DD`, `minutes` the time that reading it takes. */
export interface ArticleLinkJson {
  slug: string
  title: string
  description: string
  date: string
  minutes: number
}

export interface ArticleJson extends TextJson, ArticleLinkJson {}
