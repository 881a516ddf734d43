import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './ui/theme/base.css';
import './ui/theme/tokens.css';
import './ui/theme/mantine.css';
import { followOtherTabs } from './data/persisted.ts';
import { followMailedLinks } from './session/link.ts';
import { App, queries } from './shell/App.tsx';
import { openSignIn } from './shell/Gate.tsx';
import { openRouter } from './shell/routes.tsx';
import { nonce } from './ui/theme/mantine.ts';
import { refuseHtml } from './ui/trusted-types.ts';

// Before anything is drawn.
refuseHtml();

// Where the kit's scroll lock looks for the nonce of the style that it adds.
Object.assign(globalThis, { __webpack_nonce__: nonce() });

followOtherTabs();

// Before the router reads the address.
followMailedLinks();

const [root, router] = [document.getElementById('dashboard'), openRouter(queries)];
const drawn = root?.dataset['drawn'];
// Renders the matches as the build did, without a boundary around them that the document doesn't have.
if (drawn !== undefined) router.ssr = { manifest: undefined };

// What the document shows stays until the program's parts have come, or failed to. Not awaited: pages import this program.
if (root)
  void Promise.allSettled([drawn === 'sign-in' ? openSignIn() : drawn !== undefined, router.load()]).then(([opened]) => {
    const app = (
      <StrictMode>
        <App router={router} />
      </StrictMode>
    );
    const isAsDrawn = opened.status === 'fulfilled' && opened.value && router.state.matches.every(({ status }) => status === 'success');
    document.documentElement.dataset['live'] = '';
    if (isAsDrawn) hydrateRoot(root, app);
    else createRoot(root).render(app);
  });
