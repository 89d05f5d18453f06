/** Properties of the texts of a language. */
export interface Profile {
  /** Unicode scripts of the letters (Script_Extensions). */
  scripts: readonly string[]
  /** For the Latin script: letters in addition to a to z. */
  letters: string
  /** Letters that every long text contains. */
  needs: string
  /** Letters of a related language or of an obsolete encoding. */
  never?: RegExp
  /** Quotation marks, in pairs. */
  quotes: readonly string[]
  /** The digit zero in prose: `0` or that of the script. */
  zero: string
  /** Numbers of the country that do not occur in English texts. */
  numbers?: readonly number[]
  /** The least and greatest length of a text in columns, relative to the English text. */
  length: readonly [number, number]
}

const LATIN: Profile = {
  scripts: ['Latin'],
  letters: '',
  needs: '',
  quotes: ['“”', '‘’'],
  zero: '0',
  length: [0.85, 1.5],
}

const latin = (letters: string, needs = letters, quotes = LATIN.quotes): Profile => ({
  ...LATIN,
  letters,
  needs,
  quotes,
})

const script = (name: string, rest: Partial<Profile> = {}): Profile => ({
  ...LATIN,
  scripts: [name],
  length: [0.5, 1.1],
  ...rest,
})

const ARABIC: Partial<Profile> = { quotes: ['«»', '“”'], length: [0.65, 1.1] }
const CHINESE: Partial<Profile> = { length: [0.48, 0.85] }
const EASTERN: Partial<Profile> = { length: [0.7, 1.15] }

/** The telephone number of the Chinese police for fraud prevention. */
const POLICE_AGAINST_FRAUD = 96110

const PROFILES: Record<string, Profile> = {
  zh: script('Han', { ...CHINESE, quotes: ['“”', '‘’', '《》'], numbers: [POLICE_AGAINST_FRAUD] }),
  en: latin('é', ''),
  de: latin('äöüßéè', 'äöüß', ['„“', '‚‘']),
  es: latin('áéíóúüñªº', 'áéíóúñ', ['«»', '“”', '‘’']),
  fr: latin('àâæçéèêëîïôœùûüÿ', 'àâçéèêîôû', ['«»', '“”']),
  id: latin('é', ''),
  it: latin('àèéìíîòóùªº', 'àèéìòù', ['«»', '“”']),
  ja: script('Han', {
    ...EASTERN,
    scripts: ['Han', 'Hiragana', 'Katakana'],
    quotes: ['「」', '『』'],
    needs: 'のはを',
  }),
  ko: script('Hangul', EASTERN),
  pt: latin('áâãàçéêíóôõúüªº', 'áãçéêíóõú'),
  ru: script('Cyrillic', { quotes: ['«»', '„“'], length: [0.8, 1.4], needs: 'ыэъ', never: /[іїєґ]/i }),
  th: script('Thai'),
  // In a case-insensitive regular expression, `İ` matches neither `i` nor `ı`.
  tr: latin('âçğıİîöşüû', 'çğıöşü'),
  'zh-TW': script('Han', { ...CHINESE, quotes: ['「」', '『』', '《》'] }),
  hi: script('Devanagari'),
  ar: script('Arabic', { ...ARABIC, needs: 'ةىيك', never: /[یکەۀہھےںٹڈڑ]/ }),
  ur: script('Arabic', { ...ARABIC, quotes: ['“”', '‘’'], needs: 'یکہھےںٹڈڑگچ', never: /[يكىةه]/ }),
  vi: latin('àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ', 'đơưăâêô'),
  bn: script('Bengali', { zero: '০' }),
  fa: script('Arabic', { ...ARABIC, zero: '۰', needs: 'یکپچگ', never: /[يكىہھےںٹڈڑ]/ }),
  sw: latin('', ''),
  ta: script('Tamil'),
  ha: latin('ɓɗƙƴ', 'ɓɗƙ'),
  te: script('Telugu'),
  gu: script('Gujarati'),
  ms: latin('é', ''),
  pl: latin('ąćęłńóśźż', 'ąćęłńóśźż', ['„”', '«»']),
  uk: script('Cyrillic', { quotes: ['«»', '“”', '„“'], length: [0.8, 1.4], needs: 'іїє', never: /[ыэъё]/i }),
  my: script('Myanmar', { zero: '၀' }),
  ro: latin('ăâîșț', 'ăâîșț', ['„”', '«»']),
  nl: latin('éèêëïöüáóà', 'ë'),
  am: script('Ethiopic', { quotes: ['«»', '“”', '‹›'] }),
  kh: script('Khmer', { length: [0.4, 0.8], quotes: ['“”', '«»', '‘’'] }),
}

export function profileOf(code: string): Profile {
  const profile = PROFILES[code]
  if (!profile) throw new Error(`src/content/check/profiles.ts has no profile for ${code}`)
  return profile
}
