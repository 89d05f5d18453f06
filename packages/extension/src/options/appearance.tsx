import { languages } from '../../../../locales/languages.ts'
import { Field } from '../../../../src/web/components/field.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { changeState, type Settings } from '../state/state.ts'
import css from './options.module.css'

const COLORS = ['auto', 'light', 'dark'] as const

export function Appearance({ settings }: { settings: Settings }) {
  const text = useText()
  return (
    <section className={css.part}>
      <Field label={text('colors.title')}>
        {(control) => (
          <select
            {...control}
            value={settings.colors}
            onChange={({ target: { value } }) =>
              void changeState((state) => void (state.settings.colors = value as Settings['colors']))
            }
          >
            {COLORS.map((each) => (
              <option key={each} value={each}>
                {text(`colors.${each}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text('site.language')}>
        {(control) => (
          <select
            {...control}
            value={settings.language}
            onChange={({ target: { value } }) => void changeState((state) => void (state.settings.language = value))}
          >
            <option value="auto">{text('colors.auto')}</option>
            {languages.map(({ code, displayName }) => (
              <option key={code} value={code} lang={code}>
                {displayName}
              </option>
            ))}
          </select>
        )}
      </Field>
    </section>
  )
}
