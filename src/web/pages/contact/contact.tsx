export function Contact() { return <p>stub</p> }
