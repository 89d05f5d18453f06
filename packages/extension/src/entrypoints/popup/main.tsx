import { Popup } from '../../popup/popup.tsx'
import { renderPage } from '../../ui/shell.tsx'

renderPage((state) => <Popup state={state} />)
