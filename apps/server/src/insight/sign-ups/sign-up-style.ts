/** Part of the style of all public pages, as a page has one style. */
export const signUpStyle = `.form>div{margin:0 0 1rem}
.form label{display:block;min-height:0;margin:0 0 .25rem;padding:0;font-weight:600;overflow-wrap:anywhere}
.form input:not([type=checkbox]),.form select,.form textarea{box-sizing:border-box;width:100%;min-height:44px;padding:.5rem .75rem;border:1px solid light-dark(#808a98,#808a98);border-radius:6px;background:light-dark(#fff,#12161d);color:inherit;font:inherit}
.form textarea{min-height:7rem}
.form :is(input,select,textarea):focus-visible{outline:3px solid var(--fill);outline-offset:1px}
.form [aria-invalid=true][aria-invalid]{border-color:light-dark(#c92a2a,#ff8787);border-width:2px}
.form .error{margin:.25rem 0 0;color:light-dark(#b02525,#ffa8a8);font-size:.875rem}
.form [role=alert]{margin:0 0 1rem}
main .main{padding-inline:.5rem;overflow-wrap:anywhere}
.form fieldset{margin:0 0 1rem;padding:0;border:0;min-width:0}
.form legend{padding:0;margin:0 0 .25rem;font-weight:600}
.form .check{display:flex;gap:.625rem;align-items:flex-start;margin:0;padding:.5rem 0;font-weight:400}
.form .check input{flex:none;width:1.25rem;height:1.25rem;margin:.0625rem 0 0;accent-color:var(--fill)}
.form .mark,.form .hint{font-weight:400;color:light-dark(#5c646f,#c3c8ce);font-size:.875rem}
.form .trap{position:absolute;left:-999em;width:1px;height:1px;margin:0;overflow:hidden}
.consent{white-space:pre-line}`;
