import { Options } from '../../options/options.tsx'
import { renderPage } from '../../ui/shell.tsx'

renderPage((state) => <Options state={state} />, 'extension.options')
