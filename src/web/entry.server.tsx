import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { renderToString } from 'react-dom/server'
import type { PagePayload } from '#contract/pages.ts'
import type { ManifestTexts, OfferTexts, RenderPage } from '#contract/render.ts'
import type { EmailTranslations } from '#core/email/email.ts'
import { type Language, languages } from '#locales/languages.ts'
import { App } from './app/app.tsx'
import { type View, viewOf } from './app/view.ts'
import { filesOf, type Manifest } from './build/manifest.ts'
import { cardAlt } from './document/card.ts'
import { type Asset, documentOf } from './document/document.ts'
import { EARLY_SCRIPT } from './document/early.ts'
import { headOf } from './document/head.ts'
import { structuredData } from './document/structured-data.ts'
import { emailTexts } from './i18n/email-texts.ts'
import { messagesPath, partsOf } from './i18n/messages.ts'
import { languageOf, type Messages, type Text, textOf } from './i18n/text.tsx'
import { pages } from './navigation/routes.ts'

/** Empty in the build, which has the files of `messages/`. */
const devMessages = import.meta.env.DEV
  ? import.meta.glob<Messages>('../../locales/*.json', { import: 'default', eager: true })
  : {}
const ENTRY = 'src/web/entry.client.tsx'

/** A file that the build wrote next to this one; undefined on the dev server. */
function fileOf(name: string): Buffer | undefined {
  const file = new URL(name, import.meta.url)
  return import.meta.env.DEV || !existsSync(file) ? undefined : readFileSync(file)
}

function jsonIn<T>(file: Buffer | undefined): T | undefined {
  return file && (JSON.parse(file.toString()) as T)
}

const manifest = jsonIn<Manifest>(fileOf('manifest.json'))
/** Changes with each build. */
export const buildId = jsonIn<string>(fileOf('build-id.json')) ?? 'dev'

const styleFiles = [
  ...new Set(Object.values(manifest ?? {}).flatMap(({ file, css }) => (file.endsWith('.css') ? [file] : (css ?? [])))),
]
const styles = styleFiles.map((file) => readFileSync(new URL(`../client/${file}`, import.meta.url), 'utf8')).join('\n')

const sourceOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`
/** The sources of the inline styles and of the inline script in a content security policy. */
export const styleSource = sourceOf(styles)
export const scriptSource = sourceOf(EARLY_SCRIPT)

/** The files that a page needs, so that the browser requests all of them at once. */
function assetsOf(view: View, { lang }: PagePayload): Asset[] {
  if (!manifest) return [{ kind: 'script', file: `/${ENTRY}` }]
  const [script, ...preloads] = filesOf(manifest, [ENTRY, `src/web/pages/${view}/${view}.tsx`])
  return [
    ...styleFiles.map((file): Asset => ({ kind: 'style', file: `/${file}` })),
    { kind: 'script', file: `/${script}` },
    ...preloads.map((file): Asset => ({ kind: 'preload', file: `/${file}` })),
    ...partsOf(view).map((part): Asset => ({
      kind: 'data',
      file: messagesPath(lang, buildId, part),
    })),
  ]
}

/** The files of all languages, read at the start: another build may replace them while the program runs. */
const files = new Map(languages.map(({ code }) => [code, fileOf(`messages/${code}.json`)]))
const parsed = new Map<string, Messages>()

/** The messages of a language. They are parsed when first needed: all 33 would take a tenth of the time of a start. */
function messagesFor({ code }: Language): Messages {
  const messages = devMessages[`../../locales/${code}.json`] ?? parsed.get(code) ?? jsonIn<Messages>(files.get(code))
  if (!messages) throw new Error('There are no messages')
  parsed.set(code, messages)
  return messages
}

/** The email texts of a language. */
export const translations: EmailTranslations = async (code) => emailTexts(code, messagesFor(languageOf(code)))

function textIn(code: string): Text {
  const language = languageOf(code)
  return textOf(messagesFor(language), language)
}

export const offerTexts: OfferTexts = (code) => {
  const text = textIn(code)
  return { text: text('offer.text'), accept: text('offer.accept'), dismiss: text('offer.dismiss') }
}

export const manifestTexts: ManifestTexts = (code) => {
  const text = textIn(code)
  return { copy: text('manifest.copy'), change: text('manifest.change'), picture: text('apps.picture') }
}

export const render: RenderPage = async (payload, { publicUrl, inlineStyles }) => {
  const language = languageOf(payload.lang)
  const messages = messagesFor(language)
  const view = viewOf(payload)
  const text = textOf(messages, language, payload.site.limits)
  const head = headOf(payload, text)
  // In the browser this page is part of the inbox.
  if (payload.page === 'home' && typeof payload.data.panel === 'object' && payload.data.panel)
    head.title = `${text('inbox.where')} · ${text('site.name')}`
  const assets = assetsOf(view, payload).filter(({ kind }) => view !== 'offline' || kind === 'style')
  const html = documentOf({
    language,
    languages,
    publicUrl,
    payload,
    buildId,
    head,
    imageAlt: cardAlt(payload, text),
    structured: structuredData(payload, text, head, publicUrl),
    assets:
      inlineStyles && manifest && view !== 'offline'
        ? [{ kind: 'inline', css: styles }, ...assets.filter(({ kind }) => kind !== 'style')]
        : assets,
    body: renderToString(<App first={{ payload, messages, Page: await pages[view]() }} />),
  })
  return { status: payload.page === 'error' ? payload.data.status : 200, html }
}
