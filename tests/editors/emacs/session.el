;;; session.el --- What the tests do in one Emacs  -*- lexical-binding: t; -*-

;; Each step is a function of the tests; what it returns, or why it failed, goes into a JSON file under its name.

;; Functions that ask a person are replaced here, and no compiler is there to help with that.
(setq native-comp-deferred-compilation nil
      comp-enable-subr-trampolines nil
      make-backup-files nil
      create-lockfiles nil
      eglot-confirm-server-initiated-edits nil
      eglot-confirm-server-edits nil)
(add-to-list 'load-path (getenv "RUBRIC_EMACS"))
(require 'cl-lib)
(require 'json)
(require 'yaml-mode)
(require 'flymake)
(require 'rubric)
(setq eglot-sync-connect 30)
(add-to-list 'auto-mode-alist '("\\.ya?ml\\'" . yaml-mode))
(rubric-setup)

(defvar session-folder (getenv "RUBRIC_FOLDER"))
(defvar session-results nil)
(defvar session-patience 30)

(defun session-wait (holds)
  "Wait until HOLDS returns something, and return that."
  (let ((found nil))
    (with-timeout (session-patience (error "It did not come"))
      (while (not (setq found (funcall holds)))
        (accept-process-output nil 0.05)))
    found))

(defun session-open (name)
  "Open the file NAME and wait until the server looks at it."
  (find-file (expand-file-name name session-folder))
  (session-wait
   (lambda ()
     (unless (eglot-managed-p) (call-interactively #'eglot))
     (eglot-managed-p))))

(defun session-problems ()
  "Return the problems of the buffer once there are some."
  (session-wait (lambda () (flymake-start) (flymake-diagnostics)))
  (mapcar (lambda (problem)
            `((line . ,(line-number-at-pos (flymake-diagnostic-beg problem)))
              (text . ,(buffer-substring-no-properties (flymake-diagnostic-beg problem) (flymake-diagnostic-end problem)))
              (type . ,(symbol-name (flymake-diagnostic-type problem)))
              (message . ,(flymake-diagnostic-text problem))))
          (flymake-diagnostics)))

(defun session-go-to (text)
  "Put point before the first TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun session-shown (name)
  "Return the text of the buffer NAME once there is one."
  (session-wait (lambda () (and (get-buffer name) (with-current-buffer name (not (string-empty-p (buffer-string)))))))
  (with-current-buffer name (buffer-string)))

(defun session-answers (answers asked)
  "Return functions that answer by ANSWERS and tell ASKED the prompts."
  (let ((next (lambda (prompt)
                (funcall asked prompt)
                (or (pop answers) (error "Nobody knows what to answer to %s" prompt)))))
    next))

(defmacro session-step (name &rest body)
  "Run BODY and keep what it returns under NAME."
  (declare (indent 1))
  `(push (cons ',name
               (condition-case problem (progn ,@body)
                 (error `((error . ,(error-message-string problem))))))
         session-results))

(session-step diagnostics
  (session-open "gap.eval.yaml")
  (vconcat (session-problems)))

(session-step action
  (session-go-to "[5, 10]")
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt items &rest _)
               (cl-find-if (lambda (item) (string-prefix-p "Extend 5-10" item))
                           (mapcar (lambda (item) (if (consp item) (car item) item)) items))))
            ;; Without a mouse there is no menu.
            (last-nonmenu-event t))
    (call-interactively #'eglot-code-actions))
  (session-wait (lambda () (save-excursion (goto-char (point-min)) (search-forward "[4, 10]" nil t))))
  (buffer-string))

(session-step completion
  (session-open "half.eval.yaml")
  (goto-char (point-max))
  (skip-chars-backward "\n")
  (let* ((found (run-hook-wrapped 'completion-at-point-functions #'completion--capf-wrapper 'all))
         (table (nth 3 found))
         (typed (buffer-substring-no-properties (nth 1 found) (nth 2 found))))
    (vconcat (mapcar #'substring-no-properties (all-completions typed table)))))

(session-step command
  (session-open "old.eval.yaml")
  (rubric-fix-all)
  (session-wait (lambda () (save-excursion (goto-char (point-min)) (not (search-forward "description:" nil t)))))
  (buffer-string))

(session-step graded
  (session-open "project/greetings.eval.yaml")
  (session-go-to "id: greeting")
  (let ((rubric-judge (concat "replay:" (expand-file-name "project/judgements.json" session-folder))))
    (rubric-grade-file))
  (session-shown "*rubric*"))

(session-step gates
  (session-wait (lambda () (flymake-start) (flymake-diagnostics)))
  (vconcat (session-problems)))

(session-step judged
  (session-go-to "id: greeting")
  (forward-line 0)
  (let* ((prompts nil)
         (answers (list "met" "It says Ada" "back" "not met" "It does not" "9  (8-10) Is warm" "so warm"))
         (next (session-answers answers (lambda (prompt) (push prompt prompts))))
         (rubric-judge "manual"))
    (kill-buffer "*rubric*")
    (cl-letf (((symbol-function 'completing-read) (lambda (prompt &rest _) (funcall next prompt)))
              ((symbol-function 'read-string) (lambda (prompt &rest _) (funcall next prompt))))
      (rubric-grade-case)
      `((result . ,(session-shown "*rubric*"))
        (case . ,(with-current-buffer "*rubric case*" (buffer-string)))
        (prompts . ,(vconcat (reverse prompts)))))))

(session-step stopped
  (let ((rubric-judge "manual"))
    (when (get-buffer "*rubric*") (kill-buffer "*rubric*"))
    (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) "stop judging")))
      (rubric-grade-case)
      (session-shown "*rubric*"))))

;; While somebody looks at a question, Emacs takes messages of the server.
(session-step file
  (let ((depth 0) (deepest 0) (rubric-judge "manual") (rubric-ask-reasons nil))
    (when (get-buffer "*rubric*") (kill-buffer "*rubric*"))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt items &rest _)
                 (setq depth (1+ depth) deepest (max deepest depth))
                 (sit-for 0.3)
                 (accept-process-output nil 0.3)
                 (setq depth (1- depth))
                 (car items))))
      (rubric-grade-file)
      `((result . ,(session-shown "*rubric*")) (deepest . ,deepest)))))

;; Enter on an empty line gives an empty text.
(session-step empty
  (let* ((answers (list "" "" "met" "reason" "" "9  (8-10) Is warm" "reason"))
         (next (session-answers answers #'ignore))
         (rubric-judge "manual"))
    (when (get-buffer "*rubric*") (kill-buffer "*rubric*"))
    (cl-letf (((symbol-function 'completing-read) (lambda (prompt &rest _) (funcall next prompt)))
              ((symbol-function 'read-string) (lambda (prompt &rest _) (funcall next prompt))))
      (rubric-grade-case)
      (session-shown "*rubric*"))))

;; A score is typed, and the moves are offered beside it.
(defun session-scored (&rest answers)
  "Grade the case of the free file by ANSWERS; return the result and what was asked."
  (let* ((prompts nil) (moves nil) (rubric-judge "manual") (rubric-ask-reasons nil)
         (next (session-answers answers (lambda (prompt) (push prompt prompts)))))
    (when (get-buffer "*rubric*") (kill-buffer "*rubric*"))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (prompt items &rest _) (setq moves items) (funcall next prompt))))
      (rubric-grade-file)
      `((result . ,(session-shown "*rubric*")) (prompts . ,(vconcat (reverse prompts))) (moves . ,(vconcat moves))))))

(session-step scores
  (session-open "project/free.eval.yaml")
  (vector (session-scored "7" "-0.1" "many" "" " 0,5 ")
          (session-scored "1")
          (session-scored "2" "skip this case")
          (session-scored "stop judging")))

;; Where a score is asked for among other things, the person can go back from it.
(session-step back
  (let ((answers (list "met" "back" "not met" "0.5")) (rubric-ask-reasons nil))
    (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (pop answers))))
      (vconcat (mapcar (lambda (decision) (plist-get decision :value))
                       (rubric--decisions
                        [(:id "a" :text "A" :gate "" :number nil
                          :choices [(:value t :label "met" :scoreRange "" :meaning "")
                                    (:value :json-false :label "not met" :scoreRange "" :meaning "")])
                         (:id "b" :text "B" :gate "" :number (:minimum 0 :maximum 1))]))))))

(with-temp-file (getenv "RUBRIC_RESULTS")
  (insert (json-encode session-results)))
