import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import './ui/tokens.css';
import './ui/mantine.css';
import { followMailedLinks } from './session/link.ts';
import { App } from './shell/App.tsx';
import { nonce } from './ui/mantine.ts';
import { refuseHtml } from './ui/trusted-types.ts';

// Before anything is drawn.
refuseHtml();

// Where the kit's scroll lock looks for the nonce of the style that it adds.
Object.assign(globalThis, { __webpack_nonce__: nonce() });

// Before the router reads the address.
followMailedLinks();

const root = document.getElementById('dashboard');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
