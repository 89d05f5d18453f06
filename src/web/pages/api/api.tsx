import type { OperationJson } from '#contract/pages.ts'
import { usePayload } from '../../app/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import css from './api.module.css'

/** The documentation of the HTTP API with all operations. */
export function Api() {
  const text = useText()
  const { code } = useLanguage()
  const { text: about, operations } = usePayload('api').data
  return (
    <article className={css.api}>
      <h1>{about.title}</h1>
      <Prose split html={about.html} />
      <section>
        <h2 id="calls">{text('api.calls')}</h2>
        <p>
          {/* Not a page of the site, which could be opened without a request. */}
          <a href={`/api/reference?lang=${code}`}>{text('api.reference')}</a>
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls horizontally on narrow screens */}
        <div className={css.scroll} tabIndex={0} role="region" aria-labelledby="calls">
          <table>
            <thead>
              <tr>
                <th scope="col">{text('api.call')}</th>
                <th scope="col">{text('api.does')}</th>
                <th scope="col">{text('api.parameters')}</th>
                <th scope="col">{text('api.answers')}</th>
              </tr>
            </thead>
            <tbody>
              {operations.map((each) => (
                <Operation key={each.id} {...each} />
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </article>
  )
}

function Operation({ id, method, path, parameters, statuses }: OperationJson) {
  const text = useText()
  return (
    <tr>
      <th scope="row">
        <code dir="ltr" translate="no">
          <b>{method}</b> {path}
        </code>
      </th>
      <td>{text(`api.call.${id}` as MessageKey)}</td>
      <td>
        {parameters.map((name) => (
          <code key={name} dir="ltr" translate="no">
            {name}
          </code>
        ))}
      </td>
      <td dir="ltr">{statuses.join(' ')}</td>
    </tr>
  )
}
