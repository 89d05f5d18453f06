/** Where the tab keeps the id of the build for which it was reloaded. */
const RELOADED_FOR = 'mayfly:reloaded-for'

/**
 * Lets the page work as without JavaScript if its script, or a file that it imports, can't be loaded or read. If a newer
 * build is the cause, it also reloads the page, once for each build. Both events don't bubble. Errors after the
 * script has run are not handled here.
 */
export const MISSING_SCRIPTS_SCRIPT = `{const h=document.documentElement;let ran
document.addEventListener('load',e=>{ran||=e.target.type==='module'},true)
addEventListener('error',async({target:t,filename:f})=>{if(ran||!(t.type==='module'||f?.includes('/assets/')))return
h.dataset.scripts='failed'
try{const{id}=await(await fetch('/builds/latest.json')).json()
if(id&&id!==h.dataset.build&&sessionStorage['${RELOADED_FOR}']!==id){sessionStorage['${RELOADED_FOR}']=id;location.reload()}}catch{}},true)}`
