import { hydrateRoot } from 'react-dom/client';
import type { FormProps } from '#contract/form/form-page.ts';
import { Form } from './Form.tsx';

const root = document.getElementById('form');
const element = document.getElementById('props');
const props = element?.textContent;
// It contains the key, which the next visitor at this device must not find.
element?.remove();
// Written by the server's renderForm.
if (root && props) hydrateRoot(root, <Form {...(JSON.parse(props) as FormProps)} />);
