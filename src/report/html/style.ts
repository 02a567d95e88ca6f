/** The style sheet of all pages: light and dark, wide and narrow, and on paper. */

/** Kinds of instance types have a colour and a pattern. Shared parts are matched only by their own class. */
export const STYLE = `
:root{color-scheme:light dark;--page:#fbfbfd;--card:#fff;--ink:#1b2330;--soft:#566072;--line:#dde1e8;--track:#e9ecf1;
--left:#16765b;--lefttext:#0f5f49;--good:#16765b;--info:#2458c5;--warn:#8f5600;--bad:#b3261e;
--policy:#7a4fc9;--pool:#c76a12;--label:#a8871c;--class:#5f7186;--gap:#fff;--gained:#1f6fd6;--lost:#c8402f;--never:#dfe3ea;
--general:#2458c5;--compute:#c76a12;--memory:#7a4fc9;--storage:#a8871c;--accelerated:#b8327d;--other:#5f7186;--focus:#1a56db}
@media (prefers-color-scheme:dark){:root{--page:#0f141c;--card:#161d28;--ink:#e6eaf1;--soft:#a3aec0;--line:#2b3544;--track:#263040;
--left:#2fae86;--lefttext:#5fd3ae;--good:#5fd3ae;--info:#8ab4ff;--warn:#f0b35a;--bad:#ff8a80;
--policy:#a98bea;--pool:#e5964b;--label:#cfb04b;--class:#8294ab;--gap:#161d28;--gained:#5b9cf5;--lost:#f0796a;--never:#2a3444;
--general:#8ab4ff;--compute:#e5964b;--memory:#b79cf0;--storage:#d8bb58;--accelerated:#f07ab8;--other:#9aa9bd;--focus:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.75rem}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:0;line-height:1.3}
h3{font-size:.95rem;margin:1.4rem 0 .4rem}
p{margin:.35rem 0}
.soft,footer,small{color:var(--soft);font-size:.87rem}
code,.code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
a{color:var(--info)}
a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,svg:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.4rem .8rem;z-index:2}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.25rem;margin:1.1rem 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);font-size:.87rem;padding:.2rem 0 .5rem}
th,td{overflow-wrap:break-word;text-align:left;vertical-align:top;padding:.38rem .7rem .38rem 0;border-top:1px solid var(--line)}
thead td{border:0}thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.82rem}
tbody th{font-weight:600}
.n{text-align:right;white-space:nowrap}
.w{min-width:8rem}
.nb{display:inline-block;white-space:nowrap}
.bar{display:block;width:100%;height:.7rem;border-radius:3px;background:var(--track)}
.bar rect{fill:var(--left)}
.bar .was{fill:var(--class);opacity:.45}
.mark{display:inline-block;white-space:nowrap;font-size:.82rem;font-weight:600;border:1px solid currentColor;border-radius:99px;padding:0 .55rem}
.t-good{color:var(--good)}.t-info{color:var(--info)}.t-warn{color:var(--warn)}.t-bad{color:var(--bad)}
.who{display:inline-block;white-space:nowrap;font-size:.8rem;font-weight:600}
.who::before{content:"";display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.35rem;background:var(--class)}
.who-policy::before{background:var(--policy)}.who-user::before{background:var(--pool)}.who-label::before{background:var(--label)}
.tally{display:flex;flex-wrap:wrap;gap:.4rem 1.6rem;margin:.8rem 0 0;padding:0;list-style:none}
.tally b{font-size:1.5rem;line-height:1.2;display:block;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.7rem 0;font-size:.9rem}
dt{color:var(--soft)}dd{margin:0}
.why{border-left:4px solid var(--bad);padding:.1rem 0 .1rem .9rem;margin:.8rem 0}
.why ul{margin:.2rem 0;padding-left:1.1rem}
figure{margin:1rem 0 0}
figcaption{font-weight:600;font-size:.95rem;margin-bottom:.35rem}
.two{display:grid;grid-template-columns:minmax(0,1.55fr) minmax(0,1fr);gap:0 1.75rem}
svg.map{display:block;width:100%;height:24rem;background:var(--track);border-radius:4px}
svg.plot{display:block;width:100%;height:24rem}
svg.flow{display:block;width:100%;height:15rem}
text{fill:var(--ink);font-size:12px}
.axis{fill:var(--soft);font-size:11px}
.grid{stroke:var(--line);stroke-width:1}
.k-left{fill:var(--left);stroke:var(--left);stroke-width:2.5px;vector-effect:non-scaling-stroke}.k-policy{fill:url(#h-policy)}.k-user{fill:url(#h-user)}.k-label{fill:url(#h-label)}.k-class{fill:url(#h-class)}
.p-policy{fill:var(--policy);opacity:.42}.p-user{fill:var(--pool);opacity:.45}.p-label{fill:var(--label);opacity:.45}.p-class{fill:var(--class);opacity:.45}.p-ground{opacity:.16}
.k-kept{fill:var(--class);opacity:.55}.k-gained{fill:var(--gained);stroke:var(--gained)}.k-lost{fill:var(--lost);stroke:var(--lost)}.k-gained,.k-lost{stroke-width:3px;vector-effect:non-scaling-stroke}.k-never{fill:var(--never)}
.cells{fill:none;stroke:var(--gap);stroke-width:.6;vector-effect:non-scaling-stroke}
.families{fill:none;stroke:var(--gap);stroke-width:2;vector-effect:non-scaling-stroke}
.name{font-size:11px;font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:2.5px;stroke-linejoin:round;stroke-opacity:.8}
.here{fill:none;stroke:var(--ink);stroke-width:2.5;vector-effect:non-scaling-stroke}
.dots{fill:none;stroke-width:7;stroke-linecap:round;vector-effect:non-scaling-stroke;opacity:.75}
.d-general{stroke:var(--general)}.d-compute{stroke:var(--compute)}.d-memory{stroke:var(--memory)}.d-storage{stroke:var(--storage)}.d-accelerated{stroke:var(--accelerated)}.d-other{stroke:var(--other)}
.d-kept{stroke:var(--class)}.d-gained{stroke:var(--gained)}.d-lost{stroke:var(--lost)}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:.45rem 0 0;padding:0;font-size:.84rem}
.legend svg{width:.9rem;height:.9rem;vertical-align:-.1rem;margin-right:.35rem}
.detail{min-height:1.5em;font-size:.87rem;color:var(--soft);margin:.4rem 0 0}
.line{fill:none;stroke:var(--left);stroke-width:2;vector-effect:non-scaling-stroke}
.area{fill:var(--left);opacity:.18}
svg.by-price{display:none}
body:has(#by-price:checked) svg.by-price{display:block}
body:has(#by-price:checked) svg.by-vcpu{display:none}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:.9rem 0 .3rem;font-size:.9rem}
.tools label,.tools span{white-space:nowrap}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.3rem .9rem}
legend{float:left;color:var(--soft);padding:0;margin-right:.2rem}
input,select{accent-color:var(--info);font:inherit;color:inherit}
input[type=search]{background:var(--card);border:1px solid var(--soft);border-radius:6px;padding:.25rem .55rem;width:14rem;max-width:100%}
details{margin:.6rem 0}
summary{cursor:pointer;color:var(--info);font-size:.9rem;width:max-content;max-width:100%}
pre{margin:.35rem 0;padding:.5rem .7rem;background:var(--page);border:1px solid var(--line);border-radius:6px;font-size:.84rem;white-space:pre-wrap}
.lines span{display:block}.add{color:var(--good)}.del{color:var(--bad)}
.finding{border-top:1px solid var(--line);padding:.7rem 0}
.head{display:flex;flex-wrap:wrap;gap:.2rem .7rem;align-items:baseline}
.matrix{width:auto}.matrix td,.matrix th{padding:.25rem .4rem;border:1px solid var(--line);text-align:center;font-weight:400}
.matrix th[scope=row]{text-align:right}
.matrix .hit{background:color-mix(in srgb,var(--info) 20%,transparent);font-weight:600}
svg.week{display:block;width:100%;min-width:42rem;height:auto}
.c-all{fill:var(--left)}.c-some{fill:var(--label);opacity:.75}.c-none{fill:var(--bad);opacity:.28}
.lane{font-size:11px}
.on{font-size:11px;font-weight:600}
.heat-0{fill:var(--track)}.heat-1{fill:var(--left);opacity:.22}.heat-2{fill:var(--left);opacity:.45}.heat-3{fill:var(--left);opacity:.7}.heat-4{fill:var(--left)}
.bins{display:flex;flex-wrap:wrap;gap:.9rem;list-style:none;margin:.7rem 0 0;padding:0;font-size:.84rem}
.bins li{width:8.5rem}.bins svg{display:block;width:100%;height:7rem;background:var(--track);border-radius:4px}
.bins rect{stroke:var(--gap);stroke-width:1.5px}
.b-0{fill:var(--general)}.b-1{fill:var(--compute)}.b-2{fill:var(--memory)}.b-3{fill:var(--storage)}.b-4{fill:var(--accelerated)}.b-5{fill:var(--other)}.b-d{fill:var(--class);opacity:.35}
[hidden]{display:none!important}
@media (max-width:760px){header,main,footer{padding-left:.9rem;padding-right:.9rem}section{padding:.9rem}.two{display:block}
svg.map,svg.plot{height:19rem}.wide{display:none}.mark{white-space:normal}dl{grid-template-columns:1fr}dd{margin-bottom:.35rem}
.stack thead{position:absolute;left:-99rem}.stack tr{display:block;border-top:1px solid var(--line);padding:.45rem 0}.stack td,.stack th{display:block;border:0;padding:.08rem 0;text-align:left}
.stack td[data-of]::before{content:attr(data-of) " ";color:var(--soft);font-size:.82rem}}
@media print{:root{--page:#fff;--card:#fff}body{font-size:10pt}section{break-inside:auto;border-color:#bbb}figure,tr,.finding,.why{break-inside:avoid}h2,h3,figcaption{break-after:avoid}
.tools,.skip,.detail{display:none}svg.week{min-width:0}svg *,.bar,.matrix .hit{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
