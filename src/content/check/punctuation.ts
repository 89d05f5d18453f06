import { excerpt } from './finding.ts'

const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`

type Rule = [pattern: RegExp, what: string]

const EVERYWHERE: Rule[] = [
  [/\.\.\./, 'has three dots instead of …'],
  [/ {2}|\t/, 'has a superfluous space'],
  [/(?<=\p{L})'|'(?=\p{L})/u, "has ' instead of ’"],
  [/\p{L}[\p{L}\p{M}]* +[,.](?=\s|$)/u, 'has a space before a comma or full stop'],
]

const FULL_WIDTH: Rule[] = [
  [new RegExp(`${CJK}[,;:!?]|\\([^)]*${CJK}|${CJK}\\.(?!\\w)`, 'u'), 'has punctuation that is not fullwidth'],
]

const ARABIC: Rule[] = [
  [/[\u0620-\u06d3][\u064b-\u0652]*[,;?]/, 'has Latin punctuation instead of ، ؛ or ؟'],
  // Between scripts, signs take the direction of the sentence: `https://` would be shown as `//:https`.
  [/[A-Za-z](?:[/+#*]|:\/)[/+#*]*(?![\w/+#*\u2069])/, 'has a sign after Latin letters that is not isolated'],
]

/** Rules by language. */
const RULES: Record<string, Rule[]> = {
  fr: [
    [/(?<=[\p{L}\p{N}»)\uFFFC])(?:[;!?]|:(?=\s|$))| [;:!?]/u, 'has no no-break space before ; : ! or ?'],
    [/«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»/, 'has no no-break space inside « »'],
  ],
  zh: FULL_WIDTH,
  'zh-TW': FULL_WIDTH,
  ja: FULL_WIDTH,
  ko: [[/[，。、：；！？（）]/, 'has fullwidth punctuation']],
  ar: ARABIC,
  fa: ARABIC,
  ur: [...ARABIC, [/[\u0620-\u06d3]\.(?=\s|$)/, 'ends a sentence with . for ۔']],
  hi: [[/[\u0900-\u097f]\.(?=\s|$)/, 'ends a sentence with . for ।']],
  bn: [[/[\u0980-\u09ff]\.(?=\s|$)/, 'ends a sentence with . for ।']],
  my: [[/[\u1000-\u109f][.,](?=\s|$)/, 'has Latin punctuation for ၊ or ။']],
  am: [[/(?<!\.)[\u1200-\u137f][.,;](?=\s|$)/, 'has Latin punctuation for ። or ፣']],
  kh: [[/[\u1780-\u17ff]\.(?=\s|$)/, 'ends a sentence with . for ។']],
}

/** Finds punctuation that is unusual in the language. */
export function checkPunctuation(text: string, code: string): string[] {
  const rules = [...EVERYWHERE, ...(RULES[code] ?? [])].flatMap(([pattern, what]) => {
    const match = pattern.exec(text)
    return match ? [`${what}: "${excerpt(text, match.index)}"`] : []
  })
  return [...rules, ...(code === 'es' ? checkOpening(text) : [])]
}

const checkOpening = (text: string): string[] =>
  ['¿?', '¡!']
    .filter(([open = '', close = '']) => text.split(open).length !== text.split(close).length)
    .map((pair) => `has ${pair[1]} without ${pair[0]}: "${excerpt(text, text.indexOf(pair[1] ?? ''))}"`)
