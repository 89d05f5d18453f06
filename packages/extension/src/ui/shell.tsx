import '../../../../src/web/styles/base.css'
import './shell.css'
import { type ReactNode, StrictMode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { TextProvider } from '../../../../src/web/i18n/text.tsx'
import type { State } from '../state/state.ts'
import { useExtension } from './use-state.ts'

/** Renders a page of the extension in the language and the colors of the settings. */
function Shell({ title, children }: { title?: 'extension.options'; children: (state: State) => ReactNode }) {
  const loaded = useExtension()
  const colors = loaded?.state.settings.colors
  const { language, text } = loaded?.texts ?? {}
  useLayoutEffect(() => {
    const root = document.documentElement
    if (colors === 'auto' || colors === undefined) delete root.dataset.colors
    else root.dataset.colors = colors
    if (!language || !text) return
    root.lang = language.locale
    root.dir = language.dir
    document.title = title ? `${text(title)} · ${text('site.name')}` : text('site.name')
  }, [colors, language, text, title])
  if (!loaded) return null
  return (
    <TextProvider code={loaded.texts.language.code} messages={loaded.texts.messages}>
      {children(loaded.state)}
    </TextProvider>
  )
}

export function renderPage(children: (state: State) => ReactNode, title?: 'extension.options'): void {
  const place = document.querySelector('#root')
  if (!place) throw new Error('The page has no place for its content')
  createRoot(place).render(
    <StrictMode>
      <Shell {...(title ? { title } : {})}>{children}</Shell>
    </StrictMode>,
  )
}
