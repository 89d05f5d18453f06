/** Where the tab keeps the id of the build for which it was reloaded, and with a path, how often that was reloaded. */
const RELOADED_FOR = 'mayfly:reloaded-for'
/** The reloads of a path in a tab. */
const RELOADS = 3
/** How often missing files are requested again, and the pauses between, in milliseconds. */
const TRIES = 20
const PAUSE = 3000
/** How long a page stays before it is reloaded for files that were missing, in milliseconds. */
const STAY = 10_000
/** How often a missing style sheet is requested again, after pauses that double, in milliseconds. */
const STYLE_TRIES = 6
const STYLE_PAUSE = 1000

/**
 * Lets the page work as without JavaScript if its script, or a file that it imports, can't be loaded or read. If a newer
 * build is the cause, it also reloads the page, once for each build. If a file is missing, which another node of a cluster
 * may have during an upgrade, it requests the files of the page until the browser has all of them, and then reloads
 * the page, unless somebody is filling in a form. A missing style sheet is requested again. Both events don't bubble.
 * Errors after the script has run are not handled here, except for one that it dispatches at its own element if it can't
 * start.
 */
export const MISSING_SCRIPTS_SCRIPT = `{const h=document.documentElement,wait=n=>new Promise(r=>setTimeout(r,n));let ran
document.addEventListener('load',e=>{ran||=e.target.type==='module'},true)
addEventListener('error',async({target:t,filename:f})=>{
if(t.rel==='stylesheet'){const next=t.cloneNode(),n=t.dataset.tries|0
next.dataset.tries=n+1
if(n<${STYLE_TRIES}){await wait(${STYLE_PAUSE}*2**n);t.replaceWith(next)}
return}
const missing=t.type==='module'
if(!missing&&(ran||!f?.includes('/assets/')))return
h.dataset.scripts='failed'
try{const key='${RELOADED_FOR}'+location.pathname,reloads=sessionStorage[key]|0
const reload=()=>{sessionStorage[key]=reloads+1;location.reload()}
const{id}=await fetch('/builds/latest.json').then(r=>r.json()).catch(()=>({}))
if(id&&id!==h.dataset.build&&sessionStorage['${RELOADED_FOR}']!==id){sessionStorage['${RELOADED_FOR}']=id;return reload()}
for(let i=0;missing&&reloads<${RELOADS}&&i<${TRIES};i++){await wait(${PAUSE})
const files=[...document.querySelectorAll('[type=module],[rel=modulepreload],[rel=preload]')].map(e=>fetch(e.src||e.href).then(r=>r.text().then(()=>r.ok)).catch(()=>false))
if((await Promise.all(files)).every(Boolean)&&performance.now()>${STAY}&&!document.activeElement?.form)return reload()}}catch{}},true)}`
