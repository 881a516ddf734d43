import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/theme/base.css';
import './ui/theme/tokens.css';
import './ui/theme/mantine.css';
import { followOtherTabs } from './data/persisted.ts';
import { holdAhead } from './session/ahead.ts';
import { followMailedLinks } from './session/link.ts';
import { App } from './shell/App.tsx';
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

const [root, router] = [document.getElementById('dashboard'), openRouter()];
// What the document shows stays until there is something to put in its place, which says so where a part of it did not come. Not
// awaited: pages import this program.
if (root)
  void Promise.allSettled([router.load(), holdAhead() && openSignIn()]).then(() =>
    createRoot(root).render(
      <StrictMode>
        <App router={router} />
      </StrictMode>,
    ),
  );
