import type { OperatorJson } from '#contract/operator.ts'
import { pathIn } from '#locales/languages.ts'
import { Link } from '../../components/link.tsx'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import css from './text.module.css'

const LINES = ['name', 'address', 'email', 'law'] as const satisfies (keyof OperatorJson)[]
const LABELS: Record<keyof OperatorJson, MessageKey> = {
  name: 'legal.operator',
  address: 'legal.address',
  email: 'legal.email',
  law: 'legal.law',
}

/** Who runs the service, and the rights of visitors (GDPR Article 13, PIPL Article 17). */
export function LegalNotice({ operator }: { operator: OperatorJson }) {
  const text = useText()
  const { code } = useLanguage()
  const lines = LINES.flatMap((name) => {
    const value = operator[name]
    return value === null ? [] : [{ name, value }]
  })
  return (
    <section className={css.legal} aria-labelledby="legal">
      <h2 id="legal">{text('legal.title')}</h2>
      <div>
        {lines.length > 0 ? (
          <dl>
            {lines.map(({ name, value }) => (
              <div key={name}>
                <dt>{text(LABELS[name])}</dt>
                {/* The operator's own words, in any language. */}
                <dd>
                  <bdi>{name === 'email' ? <a href={`mailto:${value}`}>{value}</a> : value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        <p>{text('legal.rights')}</p>
        <p>
          <Link href={pathIn(code, '/contact')}>{text('legal.contact')}</Link>
        </p>
      </div>
    </section>
  )
}
