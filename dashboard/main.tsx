import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './ui/theme/base.css';
import './ui/theme/tokens.css';
import './ui/theme/mantine.css';
import { followOtherTabs } from './data/persisted.ts';
import { languageShown, preferredLanguage } from './language.ts';
import { openLanguage } from './open-language.ts';
import { followMailedLinks } from './session/link.ts';
import { App, queries } from './shell/App.tsx';
import { openSignIn } from './shell/Gate.tsx';
import { openRouter } from './shell/routes.tsx';
import { nonce } from './ui/theme/mantine.ts';
import { refuseHtml } from './ui/trusted-types.ts';

// Before anything is rendered.
refuseHtml();

// The kit's scroll lock reads the nonce of its style from here.
Object.assign(globalThis, { __webpack_nonce__: nonce() });

followOtherTabs();

// Before the router reads the address.
followMailedLinks();

const root = document.getElementById('dashboard');
// Not awaited, because pages import this module.
if (root) void openLanguage(preferredLanguage()).then(() => open(root));

/** Renders the dashboard in its language. The document's content stays until the code has loaded or failed. */
async function open(root: HTMLElement): Promise<void> {
  const router = openRouter(queries);
  const drawn = root.dataset['drawn'];
  // Renders the matches as the build did, without a boundary around them that the document doesn't have.
  if (drawn !== undefined) router.ssr = { manifest: undefined };
  const [opened] = await Promise.allSettled([drawn === 'sign-in' ? openSignIn() : drawn !== undefined, router.load()]);
  const app = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  );
  // A language that didn't load isn't the document's.
  const isInLanguage = languageShown() === preferredLanguage();
  const isAsDrawn =
    isInLanguage && opened.status === 'fulfilled' && opened.value && router.state.matches.every(({ status }) => status === 'success');
  document.documentElement.dataset['live'] = '';
  if (isAsDrawn) hydrateRoot(root, app);
  else createRoot(root).render(app);
}
