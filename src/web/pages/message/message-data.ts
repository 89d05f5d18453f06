import type { HomeData } from '#contract/pages.ts'

/** An open message, as its page gets it. */
export type MessageData = NonNullable<HomeData['message']>
