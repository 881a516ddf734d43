import { REVIEW_SERVICES, type ReviewService } from './review.ts';

/* The URLs of pages where people review a business. Visitors' pages never load this. */

/** A kind of review page: its host and path, and the parts of its URL that identify the business. The rest is dropped. */
interface ReviewPage {
  readonly host: RegExp;
  readonly path: RegExp;
  /** The required parameters; all others are dropped. */
  readonly query?: Readonly<Record<string, RegExp>>;
  readonly fragment?: RegExp;
  /** True if the whole query is kept. */
  readonly isAnyQuery?: boolean;
}

/** Every country's Google, as https://www.google.com/supported_domains lists them: after `google.`. */
const GOOGLE =
  'com ad ae com.af com.ag al am co.ao com.ar as at com.au az ba com.bd be bf bg com.bh bi bj com.bn com.bo com.br bs bt co.bw by com.bz ca cd cf cg ch ci co.ck cl cm cn com.co co.cr com.cu cv com.cy cz de dj dk dm com.do dz com.ec ee com.eg es com.et fi com.fj fm fr ga ge gg com.gh com.gi gl gm gr com.gt gy com.hk hn hr ht hu co.id ie co.il im co.in iq is it je com.jm jo co.jp co.ke com.kh ki kg co.kr com.kw kz la com.lb li lk co.ls lt lu lv com.ly co.ma md me mg mk ml com.mm mn ms com.mt mu mv mw com.mx com.my co.mz com.na com.ng com.ni ne nl no com.np nr nu co.nz com.om com.pa com.pe com.pg com.ph com.pk pl pn com.pr ps pt com.py com.qa ro rs ru rw com.sa com.sb sc se com.sg sh si sk com.sl sn so sm sr st com.sv td tg co.th com.tj tl tm tn to com.tr tt com.tw co.tz com.ua co.ug co.uk com.uy co.uz com.vc co.ve vg co.vi com.vn vu ws co.za co.zm co.zw cat';
/** Every country's Yelp: after `yelp.`. */
const YELP =
  'com at be ca ch cl co.jp co.nz co.uk com.ar com.au com.br com.hk com.mx com.my com.ph com.sg com.tr com.tw cz de dk es fi fr ie it my nl no pl pt se';

const inCountries = (before: string, list: string): RegExp =>
  new RegExp(`^${before}\\.(?:${list.replaceAll('.', '\\.').replaceAll(' ', '|')})$`);
const google = inCountries('(?:(?:www|maps)\\.)?google', GOOGLE);
const googleMaps = inCountries('maps\\.google', GOOGLE);
const yelp = inCountries('(?:(?:www|m|[a-z]{2})\\.)?yelp', YELP);

const CODE = /^\/[\w-]+$/;
const PLACE_ID = /^[\w-]+$/;
const CID = /^\d+$/;
const FEATURE = /^0x[\da-f]+(?::|%3A)0x[\da-f]+$/i;
const ANYTHING = /./;

const PAGES: Readonly<Record<ReviewService, readonly ReviewPage[]>> = {
  Google: [
    // From 'Ask for reviews', and the earlier short names.
    { host: /^g\.page$/, path: /^(?:\/[\w.%-]+){1,3}$/ },
    { host: /^search\.google\.com$/, path: /^\/local\/(?:writereview|reviews)$/, query: { placeid: PLACE_ID } },
    // From 'Share', in Maps and in Search.
    { host: /^maps\.app\.goo\.gl$/, path: CODE },
    { host: /^goo\.gl$/, path: /^\/maps\/[\w-]+$/ },
    { host: /^g\.co$/, path: /^\/kgs\/[\w-]+$/ },
    { host: /^share\.google$/, path: CODE },
    // From the browser's address bar.
    { host: google, path: /^\/maps\/place$/, query: { q: /^place_id(?::|%3A)[\w-]+$/i } },
    { host: google, path: /^\/maps\/place\/.+$/ },
    { host: google, path: /^\/maps$/, query: { cid: CID } },
    { host: googleMaps, path: /^$/, query: { cid: CID } },
    // From 'Share' on older phones, with the place in the parameters.
    { host: google, path: /^(?:\/maps)?$/, query: { q: ANYTHING, ftid: FEATURE } },
    { host: google, path: /^\/maps\/search$/, query: { api: /^1$/, query: ANYTHING, query_place_id: PLACE_ID } },
    // From Search, with the reviews open.
    { host: google, path: /^\/search$/, query: { q: ANYTHING }, fragment: /^lrd=0x[\da-f]+(?::|%3A)0x[\da-f]+,\d[\d,]*$/i },
  ],
  Yelp: [
    { host: yelp, path: /^\/biz\/[^/]+$/ },
    { host: yelp, path: /^\/writeareview\/biz\/[^/]+$/ },
    { host: /^yelp\.to$/, path: /^(?:\/[\w-]+)+$/ },
  ],
  Trustpilot: [{ host: /^(?:(?:www|[a-z]{2})\.)?trustpilot\.com$/, path: /^\/(?:review|evaluate)\/[\w.-]+$/ }],
  // A page of any other site: owners know where their visitors review.
  Other: [{ host: ANYTHING, path: /^\/.+$/, isAnyQuery: true }],
};

/**
 * Returns a review link in its canonical form; undefined if it isn't one. It needs https, which may be left out, the default port, no
 * user name or password, and a page of the service where one business is reviewed. Parts that could redirect elsewhere are dropped.
 */
export function reviewLink(service: ReviewService, url: string): string | undefined {
  const [, host = '', rawPath = '', rawQuery = '', rawFragment = ''] = LINK.exec(url) ?? [];
  if (host === '' || rawPath.split('/').some((segment) => DOTS.test(segment))) return undefined;
  const [path, query, fragment] = [rawPath.replace(/\/+$/, ''), rawQuery, rawFragment].map(inAscii) as [string, string, string];
  const at = { host: host.toLowerCase(), path, query, fragment };
  const linkTo = (name: ReviewService) => PAGES[name].map((page) => canonical(page, at)).find((link) => link !== undefined);
  // A listed service's page must be entered as that service's, so that feedback has the right source.
  return service === 'Other' && REVIEW_SERVICES.some((name) => name !== 'Other' && linkTo(name)) ? undefined : linkTo(service);
}

/** https or nothing, a bare host, then path, query and fragment without spaces, backslashes or control characters. */
const LINK =
  /^(?:https:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:\/(?:(?![\\?#])[!-~\p{L}\p{N}\p{M}\p{S}])*)?)(?:\?((?:(?![\\#])[!-~\p{L}\p{N}\p{M}\p{S}])*))?(?:#((?:(?!\\)[!-~\p{L}\p{N}\p{M}\p{S}])*))?$/iu;
/** Path segments that a browser resolves as `.` or `..`. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

const inAscii = (text: string): string => text.replace(/[^!-~]/gu, encodeURIComponent);

interface PastedAddress {
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

function canonical(page: ReviewPage, { host, path, query, fragment }: PastedAddress): string | undefined {
  if (!page.host.test(host) || !page.path.test(path)) return undefined;
  if (page.fragment && !page.fragment.test(fragment)) return undefined;
  const required = Object.entries(page.query ?? {}).map(([name, value]) => query.split('&').find((part) => isOf(part, name, value)));
  if (required.includes(undefined)) return undefined;
  const parameters = page.isAnyQuery ? query : required.join('&');
  return `https://${host}${path}${parameters && `?${parameters}`}${page.fragment ? `#${fragment}` : ''}`;
}

const isOf = (part: string, name: string, value: RegExp): boolean => part.startsWith(`${name}=`) && value.test(part.slice(name.length + 1));
