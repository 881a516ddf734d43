import { createRoot } from 'react-dom/client';
import { Preview } from './Preview.tsx';

const root = document.getElementById('form');
// Written by the server's preview page.
if (root) createRoot(root).render(<Preview />);
