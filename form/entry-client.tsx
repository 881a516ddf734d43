import { hydrateRoot } from 'react-dom/client';
import { Form } from './Form.tsx';
import type { FormProps } from '#contract/form-page.ts';

const root = document.getElementById('form');
const props = document.getElementById('props')?.textContent;
// Written by the server's renderForm.
if (root && props) hydrateRoot(root, <Form {...(JSON.parse(props) as FormProps)} />);
