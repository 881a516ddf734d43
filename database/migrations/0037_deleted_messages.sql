-- Operators delete messages, one at a time and for good.
grant delete on message to afterword_app;
create policy deleted on message for delete to afterword_app using (current_setting('app.operator', true) = 'on');
