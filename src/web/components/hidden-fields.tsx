import { useLanguage } from '../i18n/text.tsx'

/**
 * The hidden fields of a form, with the language of the page. `shown`: the address that the page shows, empty for none. The
 * server refuses the form if another window has opened another one since.
 */
export function HiddenFields(fields: Record<string, string | undefined>) {
  const { code } = useLanguage()
  return Object.entries({ lang: code, ...fields }).map(
    ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  )
}
