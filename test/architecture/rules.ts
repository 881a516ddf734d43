import path from 'node:path';
import { type Import, isTest, readSources, type SourceFile } from './sources.ts';

/** An architecture rule, which returns a message to the author for each violation in a file. */
export interface Rule {
  readonly name: string;
  readonly check: (source: SourceFile) => readonly string[];
  /** A file that breaks the rule, to prove that the check works. */
  readonly broken: { readonly file: string; readonly text: string };
}

/** The order of the modules: each may depend on those before it. */
const MODULES = [
  'event',
  'identity',
  'billing',
  'account',
  'user',
  'brand',
  'property',
  'form',
  'tag',
  'tool',
  'api-key',
  'saved-reply',
  'saved-view',
  'feedback',
  'kiosk',
  'comment',
  'conversation',
  'feedback-request',
  'topic',
  'privacy',
  'message',
  'view',
  'insight',
  'report',
  'webhook',
  'export',
  'notification',
];
/** The files of a module that others may import; by default its store and the file named like the module. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  // The live feed, and how a subscriber is declared.
  event: ['store', 'feed', 'relay'],
  // Counts are read from a separate store; every way to submit shares the intake.
  feedback: ['store', 'counts-store', 'intake', 'visitor-rights'],
  // The port between the product and its identity provider.
  identity: ['port'],
  // The port between the product and its payment provider.
  billing: ['store', 'billing', 'port'],
};
const publicFilesOf = (module: string): readonly string[] => PUBLIC[module] ?? ['store', module];
/** Modules with folders, and the folders that each of these may import. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  billing: { paddle: [] },
  identity: { protocol: ['pool'], pool: [], cognito: ['pool'] },
  // `policy` is pure; `alerts` decides by it and delivers through the channels.
  notification: { policy: [], mail: [], inbox: [], push: ['mail', 'inbox'], alerts: ['policy', 'mail', 'inbox', 'push'] },
};
/** Files in a module's folders that others may import, because mails are sent before an account exists. */
const OPENED = ['server/notification/mail/mails.ts'];

/** Files that every part of the server may import: its jobs and the module type. */
const SHARED = ['server/jobs.ts', 'server/module.ts'];
/** The folder that writes files that survive a power cut. */
const DISK = 'disk';
/** The folder of the embedded PostgreSQL, which could serve any application. */
const POSTGRES = 'postgres';
/** The folder of replacements for vendors, which work with any product written for that vendor. */
const STAND_INS = 'stand-ins';
/** Server files that a stand-in may import: durable files, the markup template, and the sender of a form. */
const STAND_IN_TOOLS = ['server/disk/durable-file.ts', 'server/platform/http/markup.ts', 'server/platform/mailer/sender.ts'];
const ROOTS = ['contract', 'server', 'stand-ins', 'dashboard', 'form', 'kiosk', 'embed', 'mail', 'fixtures', 'database'];

/** Imports across roots, besides those of the contract. */
const EXCEPTIONS: readonly (readonly [from: RegExp, to: RegExp, why: string])[] = [
  [/^server\/sample\.ts$/, /^database\/seed\.ts$/, 'loads the sample business'],
  [/^database\/seed\.ts$/, /^(?:server|fixtures)\//, 'writes the sample business through the stores'],
  [
    /^kiosk\//,
    /^(?:form\/(?:Face\.tsx|Logo\.tsx|new-key\.ts|preview\/dashboard-preview\.ts|offline\/worker-(?:address|events)\.ts|timeout\.ts)|dashboard\/ui\/qr\/codes\.ts)$/,
    'shows the same faces, codes and preview as the form and the dashboard, and calls the server as the form does',
  ],
  [/^dashboard\/demo\//, /^fixtures\//, 'shows the sample business'],
  [/^server\/(?:app|payments)\.ts$/, /^stand-ins\/paddle\/paddle\.ts$/, 'serves the stand-in for Paddle'],
  [/^stand-ins\//, new RegExp(`^(?:${STAND_IN_TOOLS.join('|')})$`), 'stores files and sends pages as the server does'],
];

/** The dashboard's layers, each depending only on those before it; the demo's area belongs to the shell. */
const LAYERS = ['data', 'session', 'ui', 'frame', 'pages', 'shell'];

const rootOf = (file: string): string => file.split('/')[0] ?? '';
/** Returns the server folder of a file: a module, the platform or the workflows. */
const partOf = (file: string): string | undefined => /^server\/([^/.]+)\//.exec(file)?.[1];
const isPublic = (file: string): boolean => {
  const [, module = '', name = '', ...deeper] = file.split('/');
  return MODULES.includes(module) && deeper.length === 0 && publicFilesOf(module).includes(name.replace(/\.ts$/, ''));
};
/** Returns a file's layer; `paths.ts` is shared by all layers, and `main.tsx` is above them. */
const layerOf = (file: string): string | undefined => /^dashboard\/([^/.]+)\//.exec(file)?.[1]?.replace('demo', 'shell');
const pageOf = (file: string): string | undefined => /^dashboard\/pages\/([^/]+)/.exec(file)?.[1];
/** Returns a file's folder within a module, with the module. */
function folderOf(file: string): { readonly module: string; readonly name: string; readonly imports: readonly string[] } | undefined {
  const [, module = '', name = '', ...deeper] = file.split('/');
  const imports = rootOf(file) === 'server' && deeper.length > 0 ? FOLDERS[module]?.[name] : undefined;
  return imports && { module, name, imports };
}
const isStore = (file: string): boolean => /(?:\/|-)store\.ts$/.test(file);
const nameOf = (file: string): string => path.posix.basename(file, '.ts');
/** Returns whether an import serves a foreign key, which names another module's table. */
const isForeignKey = (file: string, to: string): boolean => file.endsWith('/tables.ts') && to.endsWith('/tables.ts');
const isOurs = ({ to }: Import): boolean => ROOTS.includes(rootOf(to)) && to.includes('/');
const wrong = (imports: readonly Import[], explain: (each: Import) => string): string[] => imports.map(explain);

export const RULES: readonly Rule[] = [
  {
    name: 'the contract is pure: it imports itself and the schema library',
    check: ({ file, imports }) =>
      rootOf(file) !== 'contract' || isTest(file)
        ? []
        : wrong(
            imports.filter(({ to }) => rootOf(to) !== 'contract' && to !== 'valibot'),
            ({ from }) => `imports ${from}; the contract has no I/O, no clock and no libraries but valibot`,
          ),
    broken: { file: 'contract/feedback/rating.ts', text: "import { readFile } from 'node:fs/promises';" },
  },
  {
    name: 'a root depends on no other root but the contract',
    check: ({ file, imports }) =>
      !ROOTS.includes(rootOf(file)) || isTest(file)
        ? []
        : wrong(
            imports.filter(isOurs).filter(({ to }) => rootOf(to) !== rootOf(file) && rootOf(to) !== 'contract' && !isException(file, to)),
            ({ from, to }) => `imports ${from}; ${rootOf(file)}/ and ${rootOf(to)}/ share only the contract`,
          ),
    broken: { file: 'dashboard/pages/Feed.tsx', text: "import { byId } from '#server/form/store.ts';" },
  },
  {
    name: 'the platform depends on no module',
    check: ({ file, imports }) =>
      partOf(file) !== 'platform' || isTest(file)
        ? []
        : wrong(
            imports.filter(({ to }) => to.startsWith('server/') && !['platform', DISK].includes(partOf(to) ?? '')),
            ({ from }) => `imports ${from}; pass what the platform needs when it is opened`,
          ),
    broken: { file: 'server/platform/tenancy/access.ts', text: "import { byId } from '../../user/store.ts';" },
  },
  {
    name: 'uploaded files are decoded in a separate process',
    check: ({ file, imports }) =>
      isTest(file)
        ? []
        : wrong(
            imports.filter(({ to }) => to === 'server/platform/images/draw.ts'),
            ({ from }) => `imports ${from}, which would decode in this process; use server/platform/images/images.ts`,
          ),
    broken: { file: 'server/platform/images/images.ts', text: "import './draw.ts';" },
  },
  {
    name: 'the disk depends on nothing above it',
    check: ({ file, imports }) =>
      partOf(file) !== DISK || isTest(file)
        ? []
        : wrong(
            imports.filter(({ to }) => !to.startsWith('node:') && partOf(to) !== DISK),
            ({ from }) => `imports ${from}; server/disk/ depends on nothing else`,
          ),
    broken: { file: 'server/disk/durable-file.ts', text: "import type { Config } from '../platform/config/config.ts';" },
  },
  {
    name: 'the embedded PostgreSQL doesn’t depend on the product',
    check: ({ file, imports }) =>
      partOf(file) !== POSTGRES || isTest(file)
        ? []
        : wrong(
            imports.filter(({ to }) => !to.startsWith('node:') && to !== 'pg' && ![POSTGRES, DISK].includes(partOf(to) ?? '')),
            ({ from }) => `imports ${from}; server/postgres/ serves any application; pass what it needs as an argument`,
          ),
    broken: { file: 'server/postgres/cluster.ts', text: "import type { Config } from '../platform/config/config.ts';" },
  },
  {
    name: 'the embedded PostgreSQL doesn’t name the product',
    check: ({ file, text }) =>
      partOf(file) === POSTGRES && !isTest(file) && /afterword/i.test(text)
        ? ['contains the name of the product; use the Application from server/afterword.ts']
        : [],
    broken: { file: 'server/postgres/cluster.ts', text: "const DATABASE = 'afterword';" },
  },
  {
    name: 'the embedded PostgreSQL is imported through its entry',
    check: ({ file, imports }) =>
      partOf(file) === POSTGRES || isTest(file) || file.startsWith('test/')
        ? []
        : wrong(
            imports.filter(({ to }) => partOf(to) === POSTGRES && to !== 'server/postgres/postgres.ts'),
            ({ from }) => `imports ${from}; others may import only server/postgres/postgres.ts`,
          ),
    broken: { file: 'scripts/db-reset.ts', text: "import { runningPostmaster } from '../server/postgres/lock-files.ts';" },
  },
  {
    name: 'a stand-in doesn’t depend on the product',
    check: ({ file, imports }) =>
      rootOf(file) !== STAND_INS || isTest(file)
        ? []
        : wrong(
            imports.filter(
              ({ to, isType }) =>
                !to.startsWith('node:') &&
                !(['fastify', '@paddle/paddle-node-sdk'].includes(to) && isType) &&
                rootOf(to) !== STAND_INS &&
                !STAND_IN_TOOLS.includes(to),
            ),
            ({ from }) => `imports ${from}; a stand-in replaces a vendor; pass what it needs as an argument`,
          ),
    broken: { file: 'stand-ins/paddle/api.ts', text: "import { planPrice } from '#contract/billing/billing.ts';" },
  },
  {
    name: 'a stand-in doesn’t name the product',
    check: ({ file, text }) =>
      rootOf(file) === STAND_INS && !isTest(file) && /afterword/i.test(text)
        ? ['contains the name of the product; a stand-in works for any caller']
        : [],
    broken: { file: 'stand-ins/paddle/pages/checkout-page.ts', text: "const SELLER = 'Afterword';" },
  },
  {
    name: 'a stand-in is imported through its entry',
    check: ({ file, imports }) =>
      rootOf(file) === STAND_INS
        ? []
        : wrong(
            imports.filter(({ to }) => rootOf(to) === STAND_INS && to !== 'stand-ins/paddle/paddle.ts'),
            ({ from }) => `imports ${from}; others may import only stand-ins/paddle/paddle.ts`,
          ),
    broken: { file: 'server/app.ts', text: "import { openActions } from '#stand-ins/paddle/actions.ts';" },
  },
  {
    name: 'a module depends only on the public files of earlier modules and the platform',
    check: ({ file, imports }) => {
      const module = partOf(file) ?? '';
      if (!MODULES.includes(module) || isTest(file)) return [];
      const others = imports.filter(
        ({ to }) => to.startsWith('server/') && ![module, 'platform', DISK].includes(partOf(to) ?? '') && !SHARED.includes(to),
      );
      return wrong(
        others.filter(
          ({ to }) => !isForeignKey(file, to) && !(isPublic(to) && MODULES.indexOf(partOf(to) ?? '') < MODULES.indexOf(module)),
        ),
        ({ from }) => `imports ${from}; ${module} may import the public files of the modules before it (the order: ${MODULES.join(', ')})`,
      );
    },
    broken: { file: 'server/property/store.ts', text: "import { insertMany } from '../feedback/store.ts';" },
  },
  {
    name: 'a workflow depends only on workflows, the public files of modules, and the platform',
    check: ({ file, imports }) =>
      partOf(file) !== 'workflows' || isTest(file)
        ? []
        : wrong(
            imports.filter(
              ({ to }) =>
                to.startsWith('server/') && !['workflows', 'platform'].includes(partOf(to) ?? '') && !isPublic(to) && !SHARED.includes(to),
            ),
            ({ from }) => `imports ${from}; a workflow may import a module's public files: store.ts and the file named like the module`,
          ),
    broken: { file: 'server/workflows/team.ts', text: "import { openUser } from '../user/operations.ts';" },
  },
  directionOf('protocol', { file: 'server/identity/protocol/sign-in.ts', text: "import { openGateway } from '../cognito/gateway.ts';" }),
  directionOf('cognito', { file: 'server/identity/cognito/gateway.ts', text: "import { invalid } from '../protocol/errors.ts';" }),
  directionOf('paddle', { file: 'server/billing/paddle/gateway.ts', text: "import { lock } from '../store.ts';" }),
  directionOf('pool', { file: 'server/identity/pool/users/sign-up.ts', text: "import { deliveryTo } from '../../protocol/account.ts';" }),
  directionOf('mail', { file: 'server/notification/mail/mails.ts', text: "import { add } from '../inbox/inbox-store.ts';" }),
  directionOf('inbox', { file: 'server/notification/inbox/inbox.ts', text: "import { openPushes } from '../push/pushes.ts';" }),
  directionOf('push', { file: 'server/notification/push/pushes.ts', text: "import { due } from '../alerts/alert-store.ts';" }),
  directionOf('alerts', { file: 'server/notification/alerts/alerts.ts', text: "import { openDelivery } from '../operations.ts';" }),
  {
    name: 'the policy of notifications is pure: it imports itself and the contract',
    check: ({ file, imports }) =>
      file.startsWith('server/notification/policy/') && !isTest(file)
        ? wrong(
            imports.filter(({ to }) => rootOf(to) !== 'contract' && !to.startsWith('server/notification/policy/')),
            ({ from }) => `imports ${from}; pass what the policy decides about`,
          )
        : [],
    broken: { file: 'server/notification/policy/decision.ts', text: "import * as users from '../../user/store.ts';" },
  },
  {
    name: 'a module’s port and tables depend on none of its folders',
    check: ({ file, imports }) =>
      /^server\/\w+\/(?:port|tables)\.ts$/.test(file)
        ? wrong(
            imports.filter(({ to }) => folderOf(to)?.module === partOf(file)),
            ({ from }) => `imports ${from}; the folders import it, not the other way around`,
          )
        : [],
    broken: { file: 'server/identity/port.ts', text: "import type { UserRow } from './pool/users-store.ts';" },
  },
  {
    name: 'a module’s folders are imported only inside it',
    check: ({ file, imports }) =>
      isTest(file)
        ? []
        : wrong(
            imports.filter(({ to }) => folderOf(to) && folderOf(to)?.module !== partOf(file) && !OPENED.includes(to)),
            ({ from, to }) => `imports ${from}; others may import only the port of ${partOf(to)}`,
          ),
    broken: { file: 'server/app.ts', text: "import { signIn } from './identity/pool/sign-in.ts';" },
  },
  {
    name: 'tables are imported only in their own module',
    check: ({ file, imports }) =>
      file.startsWith('server/') && !isTest(file)
        ? wrong(
            imports.filter(({ to }) => to.endsWith('/tables.ts') && partOf(to) !== partOf(file) && !isForeignKey(file, to)),
            ({ from }) => `imports ${from}; use the store of that module`,
          )
        : [],
    broken: { file: 'server/app.ts', text: "import { forms } from './form/tables.ts';" },
  },
  {
    name: 'SQL belongs in stores, tables and the platform',
    check: ({ file, imports }) =>
      mayContainSql(file)
        ? []
        : wrong(
            imports.filter(({ to }) => to === 'drizzle-orm' || to === 'pg'),
            ({ from }) => `imports ${from}; only a store reads and writes`,
          ),
    broken: { file: 'server/form/operations.ts', text: "import { sql } from 'drizzle-orm';" },
  },
  {
    name: 'connections are used only in stores and the platform',
    check: ({ file, text }) =>
      !mayContainSql(file) && /\$client\b/.test(text)
        ? ['uses the connection; move it to a store, or to platform/database/database.ts']
        : [],
    broken: { file: 'server/workflows/team.ts', text: "await scope.db.$client.query('savepoint mine');" },
  },
  {
    name: 'lists are ordered by name as people order names',
    check: ({ file, text }) =>
      file.startsWith('server/') && /(?:asc|desc)\([^;]*displayName/.test(text)
        ? ['orders names by their characters, so Z comes before a; sort the records with byDisplayName']
        : [],
    broken: { file: 'server/tag/store.ts', text: 'db.select().from(tags).orderBy(asc(tags.displayName));' },
  },
  {
    name: 'SQL names a table only in its own module',
    check: ({ file, text }) =>
      file.startsWith('server/') && !isTest(file) && partOf(file) !== 'platform'
        ? [...withoutComments(text).matchAll(SQL_TABLE)]
            .map(([, name = '']) => name)
            .filter((name) => TABLES.has(name) && TABLES.get(name) !== partOf(file))
            .map((name) => `names the table "${name}" in SQL; import it, or an SQL fragment, from the store of ${TABLES.get(name)}`)
        : [],
    broken: { file: 'server/feedback/store.ts', text: 'const LIVE = `select id from property where deleted is null`;' },
  },
  {
    name: 'the settings of row security are set only in the platform',
    check: ({ file, text }) =>
      file.startsWith('server/') &&
      !isTest(file) &&
      !/^server\/platform\/(?:tenancy\/access|database\/(?:database|distribute))\.ts$/.test(file) &&
      /set_config|set local app\.|'app\.\w+'/.test(text)
        ? ['sets a setting of row security; server/platform/tenancy/access.ts opens scopes']
        : [],
    broken: { file: 'server/user/store.ts', text: "await client.query(`select set_config('app.user_id', $1, true)`, [id]);" },
  },
  {
    name: 'scopes are created only by the platform',
    check: ({ file, text }) =>
      file.startsWith('server/') &&
      !isTest(file) &&
      file !== 'server/platform/tenancy/access.ts' &&
      /\bas (?:unknown as )?(?:Account|Operator|Delivery)Scope\b/.test(text)
        ? ['forges a scope; pass on the existing one']
        : [],
    broken: { file: 'server/feedback/store.ts', text: 'await move({ accountId, db } as AccountScope);' },
  },
  {
    name: 'referenced rows are locked without blocking foreign keys',
    check: ({ file, text }) =>
      // No insert refers to rows of the user pool or to relayed events.
      file.startsWith('server/') && !file.startsWith('server/identity/') && file !== 'server/event/store.ts' && /\.for\('update'/.test(text)
        ? ["locks 'for update', which blocks every insert with a foreign key to the row; 'no key update' orders changes as well"]
        : [],
    broken: { file: 'server/form/store.ts', text: "await db.select().from(forms).for('update');" },
  },
  {
    name: 'settings are read in one place',
    check: ({ file, text }) =>
      ROOTS.includes(rootOf(file)) && !isTest(file) && file !== 'server/platform/config/config.ts' && /\bprocess\.env\b/.test(text)
        ? ['reads process.env; add the setting to server/platform/config/config.ts']
        : [],
    broken: { file: 'server/app.ts', text: 'const port = process.env.PORT;' },
  },
  {
    name: 'connections to user-supplied addresses are made in one place',
    check: ({ file, text, imports }) => {
      // The keys of the user pool come from an address in the operator's settings.
      const allowed = ['server/platform/outbound/outbound.ts', 'server/identity/cognito/keys.ts'];
      if (!file.startsWith('server/') || isTest(file) || allowed.includes(file)) return [];
      const clients = imports.filter(({ to, isType }) => !isType && /^(?:node:(?:https?|http2|dns(?:\/promises)?|tls)|undici)$/.test(to));
      return [
        ...wrong(clients, ({ from }) => `imports ${from}; server/platform/outbound/outbound.ts checks an address before it connects`),
        ...(/(?<![\w.])fetch\(/.test(text)
          ? ['calls fetch; server/platform/outbound/outbound.ts checks an address before it connects']
          : []),
      ];
    },
    broken: { file: 'server/webhook/courier.ts', text: "import https from 'node:https';" },
  },
  {
    name: 'a browser fetches in two places',
    check: ({ file, text }) => {
      // early.ts and mail.ts are inlined in the page, and run before send.ts has loaded; worker.ts is a service worker, which loads pages.
      const allowed = ['dashboard/data/client.ts', 'form/send.ts', 'form/early.ts', 'form/mail.ts', 'form/offline/worker.ts'];
      return /^(?:dashboard|form)\//.test(file) && !isTest(file) && !allowed.includes(file) && /(?<![\w.])fetch\(/.test(text)
        ? ['calls fetch; use data/client.ts in the dashboard, and send.ts in the form']
        : [];
    },
    broken: { file: 'dashboard/pages/Feed.tsx', text: "await fetch('/api/data')" },
  },
  {
    name: 'dates and numbers are never formatted in the browser’s language',
    check: ({ file, text }) =>
      /^(?:dashboard|form|mail)\//.test(file) &&
      !isTest(file) &&
      !['time', 'money', 'number'].some((name) => file === `dashboard/ui/format/${name}.ts`) &&
      /\.toLocale(?:Date|Time)?String\(|\bIntl\.(?:DateTime|Number|RelativeTime|Duration)Format\b|\bIntl\.\w+\((?:undefined|\))/.test(
        withoutComments(text),
      )
        ? ['formats a date or number in the browser’s language; use dashboard/ui/format/']
        : [],
    broken: { file: 'dashboard/pages/feed/list/FeedRow.tsx', text: 'const when = new Date(created).toLocaleString();' },
  },
  {
    name: 'the dashboard’s layers depend only on those before them',
    check: ({ file, imports }) => {
      const layer = layerOf(file);
      if (layer === undefined || isTest(file)) return [];
      if (!LAYERS.includes(layer)) return [`is in ${layer}/, which isn’t a layer (the order: ${LAYERS.join(', ')})`];
      return wrong(
        imports.filter(({ to }) => LAYERS.indexOf(layerOf(to) ?? layer) > LAYERS.indexOf(layer) || to === 'dashboard/main.tsx'),
        ({ from }) => `imports ${from}; ${layer}/ comes before it (the order: ${LAYERS.join(', ')})`,
      );
    },
    broken: { file: 'dashboard/session/gate.ts', text: "import { Frame } from '../frame/Frame.tsx';" },
  },
  {
    name: 'the dashboard’s UI kit depends on neither data nor session',
    check: ({ file, imports }) =>
      layerOf(file) === 'ui' && !isTest(file)
        ? wrong(
            imports.filter(({ to }) => layerOf(to) === 'data' || layerOf(to) === 'session'),
            ({ from }) => `imports ${from}; pass the data as props`,
          )
        : [],
    broken: { file: 'dashboard/ui/layers/ConfirmDialog.tsx', text: "import { useAction } from '../../data/useAction.ts';" },
  },
  {
    name: 'a dashboard page depends on no other page',
    check: ({ file, imports }) =>
      pageOf(file) !== undefined && !isTest(file)
        ? wrong(
            imports.filter(({ to }) => pageOf(to) !== undefined && pageOf(to) !== pageOf(file)),
            ({ from }) => `imports ${from}; move shared code to frame/ or ui/`,
          )
        : [],
    broken: { file: 'dashboard/pages/users/UserRow.tsx', text: "import { deviceName } from '../profile/device.ts';" },
  },
  {
    name: 'only the dashboard’s shell imports pages',
    check: ({ file, imports }) =>
      rootOf(file) === 'dashboard' && !['pages', 'shell'].includes(layerOf(file) ?? '') && !isTest(file)
        ? wrong(
            imports.filter(({ to }) => pageOf(to) !== undefined),
            ({ from }) => `imports ${from}; list the page in shell/routes.tsx or shell/TeamArea.tsx`,
          )
        : [],
    broken: { file: 'dashboard/frame/chrome/Panels.tsx', text: "const Panel = lazy(() => import('../../pages/users/UserPanel.tsx'));" },
  },
  {
    name: 'the form loads no schema library and no UI kit',
    check: ({ file, imports }) =>
      rootOf(file) === 'form' && !isTest(file)
        ? wrong(
            imports.filter(({ to, isType }) => !isType && !isOurs({ to } as Import) && !['react', 'react-dom'].includes(to)),
            ({ from }) => `imports ${from}; visitors with a weak signal would have to load it`,
          )
        : [],
    broken: { file: 'form/Form.tsx', text: "import * as v from 'valibot';" },
  },
  {
    name: 'each vendor’s library is imported in one place',
    check: ({ file, imports }) =>
      isTest(file) || /^(?:test|e2e|bench|scripts)\//.test(file)
        ? []
        : VENDORS.flatMap(([vendor, allowed]) =>
            wrong(
              imports.filter(({ to }) => vendor.test(to) && !allowed.test(file)),
              ({ from }) => `imports ${from}; only ${allowed.source.replaceAll('\\', '')} may`,
            ),
          ),
    broken: { file: 'dashboard/pages/SignIn.tsx', text: "import { signIn } from 'aws-amplify/auth';" },
  },
  {
    name: 'the dashboard lazy-loads through Later.tsx, which handles a failed load',
    check: ({ file, text }) =>
      rootOf(file) === 'dashboard' &&
      file !== 'dashboard/ui/page/Later.tsx' &&
      /\b(?:lazy|Suspense|lazyRouteComponent)\b[^;]*from '/.test(text)
        ? ['lazy-loads directly; ui/page/Later.tsx handles a failed load']
        : [],
    broken: { file: 'dashboard/pages/feed/FeedPage.tsx', text: "import { lazy, useState } from 'react';" },
  },
  {
    name: 'the sample business is used only by the demo, the seed and tests',
    check: ({ file, imports }) =>
      isTest(file) || /^(?:fixtures|dashboard\/demo|database|test|e2e|bench|scripts)\//.test(file)
        ? []
        : wrong(
            imports.filter(({ to }) => to.startsWith('fixtures/')),
            ({ from }) => `imports ${from}; the product must not depend on its sample business`,
          ),
    broken: { file: 'server/main.ts', text: "import { pier } from '#fixtures/business.ts';" },
  },
  {
    name: 'a type’s name is unique in the repository',
    check: ({ file, text }) =>
      typesOf(text).flatMap((name) => {
        const [existing] = (TYPES.get(name) ?? []).filter((declaring) => declaring !== file);
        return existing === undefined ? [] : [`declares the type ${name}, as ${existing} does; rename one`];
      }),
    broken: { file: 'test/support/smtp.ts', text: 'interface Refusal {}' },
  },
];

const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
const typesOf = (text: string): string[] => [...text.matchAll(TYPE)].map(([, name = '']) => name);
/** The declaring files of each type, by its name. */
const TYPES: ReadonlyMap<string, readonly string[]> = readSources().reduce((all, { file, text }) => {
  for (const name of typesOf(text)) all.set(name, [...(all.get(name) ?? []), file]);
  return all;
}, new Map<string, string[]>());

/** Each table with the module that owns it. */
const TABLES: ReadonlyMap<string, string> = new Map(
  readSources()
    .filter(({ file }) => file.endsWith('/tables.ts'))
    .flatMap(({ file, text }) => [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name = '']) => [name, partOf(file) ?? ''] as const)),
);
const SQL_TABLE = /\b(?:from|join|into|update)\s+"?([a-z_]+)"?/g;
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const VENDORS: readonly (readonly [vendor: RegExp, allowed: RegExp])[] = [
  [/^aws-amplify$/, /^dashboard\/session\/(?:auth|hosted|pool-actions|totp)\.ts$/],
  [/^@mantine\//, /^dashboard\/ui\//],
  [/^@paddle\//, /^(?:server\/billing\/paddle\/|stand-ins\/paddle\/|dashboard\/pages\/pay)/],
  [/^posthog-js/, /^dashboard\/shell\/analytics\/provider\.ts$/],
  [/^@zxcvbn-ts\//, /^server\/identity\/pool\/secrets\/password-policy\.ts$/],
  [/^@aws-sdk\//, /^server\/identity\/cognito\/client\.ts$/],
  [/^fastify$/, /^(?:server|stand-ins)\//],
  // A separate program decodes uploaded files, which the server must never do itself.
  [/^sharp$/, /^server\/platform\/images\/draw\.ts$/],
  [/^pg-boss$/, /^server\/platform\/jobs/],
  [/^web-push$/, /^server\/notification\/push\/web-push\.ts$/],
  [/^nodemailer$/, /^server\/platform\/mailer\//],
  [/^postal-mime$/, /^server\/(?:notification\/mail\/returned-mail|platform\/mailer\/eml)\.ts$/],
  [/^@react-email\//, /^mail\//],
  // The build parses the guides, so readers don't download a parser.
  [/^marked$/, /^scripts\/guides\.ts$/],
];

const mayContainSql = (file: string): boolean =>
  !file.startsWith('server/') ||
  isTest(file) ||
  ['platform', POSTGRES].includes(partOf(file) ?? '') ||
  isStore(file) ||
  file.endsWith('/tables.ts');

/** Returns the rule that a folder imports only the folders listed for it, its module's port and, in stores, the tables. */
function directionOf(name: string, broken: Rule['broken']): Rule {
  const allowed = ['port', name, ...(folderOf(broken.file)?.imports ?? [])];
  return {
    name: `in its module, ${name} depends only on ${allowed.join(', ')}`,
    check: ({ file, imports }) => {
      const folder = folderOf(file);
      if (folder?.name !== name || isTest(file)) return [];
      const inModule = imports.filter(({ to }) => partOf(to) === folder.module);
      return wrong(
        inModule.filter(({ to }) => !allowed.includes(folderOf(to)?.name ?? nameOf(to)) && !(isStore(file) && to.endsWith('/tables.ts'))),
        ({ from }) => `imports ${from}; in its module, ${name} depends only on ${allowed.join(', ')}, and a store the tables`,
      );
    },
    broken,
  };
}

const isException = (file: string, to: string): boolean => EXCEPTIONS.some(([from, target]) => from.test(file) && target.test(to));
