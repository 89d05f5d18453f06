import { Logo } from '../../../../src/web/components/logo.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import type { State } from '../state/state.ts'
import { Addresses } from './addresses.tsx'
import { Appearance } from './appearance.tsx'
import { Marks } from './marks.tsx'
import { Premium } from './premium.tsx'
import { Service } from './service.tsx'
import css from './options.module.css'

/** The options page. Each change applies at once. */
export function Options({ state }: { state: State }) {
  const text = useText()
  return (
    <main className={css.page}>
      <header>
        <Logo size={40} />
        <h1>{text('extension.options')}</h1>
      </header>
      <Service key={state.settings.service} settings={state.settings} />
      <Appearance settings={state.settings} />
      <Marks settings={state.settings} />
      <Premium state={state} />
      <Addresses state={state} />
    </main>
  )
}
