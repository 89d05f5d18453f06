/** Where the tab keeps for which builds it was reloaded, and a `+` for each reload for missing files, until a page starts. */
export const RELOADED_FOR = 'mayfly:reloaded-for'
/** The reloads for missing files. */
const RELOADS = 3
/** How often missing files are requested again, and the pauses between, in milliseconds. */
const TRIES = 20
const PAUSE = 3000
/** How often a missing style sheet is requested again, after pauses that double, in milliseconds. */
const STYLE_TRIES = 6
const STYLE_PAUSE = 1000

/**
 * Lets the page work as without JavaScript if its script, or a file that it imports, can't be loaded or read. If a newer
 * build is the cause, it also reloads the page, once for each build. If a file is missing, which another node of a cluster
 * may have during an upgrade, it requests the files of the page until the browser has all of them, and then reloads
 * the page; if it has all of them at the first round, once. It never reloads after someone has used the page. A missing style
 * sheet is requested again. Both events don't bubble. Errors after the script has run are not handled here;
 * entry.client.tsx dispatches one at the window if it can't start. Files of others, such as extensions, are ignored.
 */
export const MISSING_SCRIPTS_SCRIPT = `{const h=document.documentElement,key='${RELOADED_FOR}',wait=n=>new Promise(r=>setTimeout(r,n)),ours=u=>u?.startsWith?.(location.origin+'/assets/');let ran,used
const use=()=>{used=true}
for(const n of['input','submit','click'])addEventListener(n,use,true)
document.addEventListener('load',({target:t})=>{ran||=t.type==='module'&&ours(t.src)},true)
addEventListener('error',async({target:t,filename:f,isTrusted})=>{
if(t.rel==='stylesheet'&&ours(t.href)){const next=t.cloneNode(),n=t.dataset.tries|0
next.dataset.tries=n+1
if(n<${STYLE_TRIES}){await wait(${STYLE_PAUSE}*2**n);t.replaceWith(next)}
return}
const missing=isTrusted?t.type==='module'&&ours(t.src):t===self&&f===undefined
if(isTrusted?ran||!(missing||ours(f)):!missing)return
h.dataset.scripts='failed'
addEventListener('beforeunload',use)
try{const past=sessionStorage[key]??''
const reload=mark=>{if(!used){sessionStorage[key]=past+mark;location.reload()}}
const{id}=await fetch('/builds/latest.json').then(r=>r.json()).catch(()=>({}))
if(id&&id!==h.dataset.build&&!past.includes(id))return reload(id)
for(let i=0;missing&&!used&&past.split('+').length<=${RELOADS}&&i<${TRIES};i++){
const files=[...document.querySelectorAll('script[type=module],link[rel=modulepreload],link[rel=preload]')].map(e=>e.src||e.href).filter(u=>u.startsWith(location.origin)).map(u=>fetch(u).then(r=>r.text().then(()=>r.ok&&/javascript|json/.test(r.headers.get('content-type')))).catch(()=>false))
if((await Promise.all(files)).every(Boolean))return i||performance.getEntriesByType('navigation')[0].type!=='reload'?reload('+'):0
await wait(${PAUSE})}}catch{}},true)}`
