import type { LetterVoices } from '#core/letter.ts'
import { compileMessages } from '#web/i18n/compile.ts'
import type { Messages } from '#web/i18n/text.tsx'
import { voiceOf } from '#web/i18n/voice.ts'

/** What letters are written with, from the sources of the texts. */
export const voices: LetterVoices = async (code) => voiceOf(code, (await compileMessages(code)) as Messages)
