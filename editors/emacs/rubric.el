;;; rubric.el --- Check, fix and grade eval files  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, languages

;;; Commentary:

;; Eval files are YAML files with cases and rubrics, which are used to grade answers of language models.  The language
;; server `rubric-lsp' checks them, and Eglot shows the problems.  This file adds grading; you are the judge if no model is
;; configured.
;;
;;     (require 'rubric)
;;     (rubric-setup)
;;
;; Then `rubric-grade-case', `rubric-grade-file', `rubric-prompt', `rubric-report', `rubric-fix-all', `rubric-stop'.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'subr-x)

(defgroup rubric nil
  "Check, fix and grade eval files."
  :group 'tools)

(defcustom rubric-command '("rubric-lsp" "--stdio")
  "The command that starts the language server."
  :type '(repeat string))

(defcustom rubric-judge nil
  "The judge, such as \"manual\" or \"openai:gpt-4o-mini\".
Nil means the judge of the project."
  :type '(choice (const :tag "The judge of the project" nil) string))

(defcustom rubric-ask-reasons t
  "Whether to ask for a reason after each of your decisions."
  :type 'boolean)

;;; The server

(defclass rubric-server (eglot-lsp-server) ()
  :documentation "The language server for eval files.")

(cl-defmethod eglot-client-capabilities ((_server rubric-server))
  "Return the capabilities, with the judge `manual'."
  (plist-put (cl-call-next-method) :experimental
             '(:rubric (:judges ["manual"] :graded :json-false :report t :secrets :json-false))))

;;;###autoload
(define-derived-mode rubric-mode text-mode "Rubric"
  "A mode for eval files if Emacs has no mode for YAML."
  (setq-local comment-start "# "
              comment-start-skip "#+ *"
              indent-tabs-mode nil))

;; The server expects the language id of YAML, whatever the name of the mode.
(put 'rubric-mode 'eglot-language-id "yaml")

(defconst rubric--modes '(yaml-mode yaml-ts-mode rubric-mode)
  "The modes in which the server is started.")

(defun rubric--mode ()
  "Return the best available mode for eval files."
  (cond ((or (fboundp 'yaml-mode) (require 'yaml-mode nil t)) 'yaml-mode)
        ((and (fboundp 'yaml-ts-mode) (fboundp 'treesit-ready-p) (treesit-ready-p 'yaml t)) 'yaml-ts-mode)
        (t 'rubric-mode)))

(defun rubric--ensure-mode ()
  "Associate eval files with a mode in which the server starts."
  (unless (memq (assoc-default "a.eval.yaml" auto-mode-alist #'string-match) rubric--modes)
    (add-to-list 'auto-mode-alist (cons "\\(?:\\.eval\\|/eval\\|/suite\\|/promptfooconfig[^/]*\\)\\.ya?ml\\'" (rubric--mode))))
  (add-to-list 'auto-mode-alist '("\\.eval\\.jsonl\\'" . rubric-mode)))

;;;###autoload
(defun rubric-setup ()
  "Start the server for every YAML file that is opened.
If Emacs has no mode for YAML, eval files are opened in `rubric-mode'."
  (rubric--ensure-mode)
  (add-to-list 'eglot-server-programs `(,rubric--modes . (rubric-server . ,rubric-command)))
  (dolist (mode rubric--modes)
    (add-hook (intern (format "%s-hook" mode)) #'eglot-ensure)))

;;; Requests to the server

(defvar rubric--running nil
  "The progress tokens of running commands, each with its server.")

(defvar rubric--tokens 0
  "The number of the last progress token.")

(defun rubric--server ()
  "Return the server of the buffer; signal an error if there is none."
  (or (eglot-current-server) (user-error "No server manages this buffer; start it with M-x eglot")))

(defun rubric--call (names &rest arguments)
  "Call the first of NAMES that is defined with ARGUMENTS.
Eglot has renamed some of its functions."
  (apply (cl-find-if #'fboundp names) arguments))

(defun rubric--uri ()
  "Return the URI of the file."
  (rubric--call '(eglot-path-to-uri eglot--path-to-uri) (buffer-file-name)))

(defun rubric--at-point ()
  "Return the URI of the file and the position of point.
In the indentation, it is the position of the text, because a case
starts after its dash."
  (let ((place (max (point) (save-excursion (forward-line 0) (skip-chars-forward " -") (point)))))
    (list :uri (rubric--uri)
          :position (rubric--call '(eglot--pos-to-lsp-position eglot-pos-to-lsp-position) place))))

(defun rubric--judged (argument)
  "Return ARGUMENT with the judge of `rubric-judge'."
  (if rubric-judge (append argument (list :judge rubric-judge)) argument))

(defun rubric--execute (command argument show)
  "Run COMMAND of the server with ARGUMENT and call SHOW with its result.
Return at once."
  (let* ((server (rubric--server))
         (token (format "rubric-emacs-%d" (cl-incf rubric--tokens)))
         (done (lambda () (setq rubric--running (assoc-delete-all token rubric--running)))))
    ;; Send pending changes first.
    (rubric--call '(eglot--signal-textDocument/didChange))
    (push (cons token server) rubric--running)
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command :arguments (vector argument) :workDoneToken token)
     :timeout nil
     :success-fn (lambda (result) (funcall done) (funcall show result))
     :error-fn (lambda (problem) (funcall done) (message "Rubric: %s" (plist-get problem :message))))
    nil))

;;;###autoload
(defun rubric-grade-case (&optional answer)
  "Grade the case at point.
ANSWER is the answer; with a prefix argument it is read from a file.
Otherwise it is the answer recorded next to the file, or that of the
case's target."
  (interactive (list (when current-prefix-arg (rubric--file-text (read-file-name "File with the answer: ")))))
  (rubric--execute "rubric.gradeCase"
                   (rubric--judged (append (rubric--at-point) (when answer (list :answer answer))))
                   #'rubric--show-graded))

;;;###autoload
(defun rubric-grade-file ()
  "Grade all cases of the file."
  (interactive)
  (rubric--execute "rubric.gradeFile" (rubric--judged (list :uri (rubric--uri))) #'rubric--show-graded))

;;;###autoload
(defun rubric-prompt ()
  "Show what a judge would be asked about the case at point."
  (interactive)
  (rubric--execute "rubric.previewPrompt" (rubric--at-point)
                   (lambda (result) (rubric--show "*rubric prompt*" (plist-get result :markdown)))))

;;;###autoload
(defun rubric-report ()
  "Open the report of the last grading in a browser."
  (interactive)
  (rubric--execute "rubric.showReport" (list :uri (rubric--uri))
                   (lambda (result)
                     (if (null result)
                         (message "Rubric: nothing has been graded yet")
                       (let ((file (make-temp-file "rubric" nil ".html" (plist-get result :html))))
                         (browse-url-of-file file))))))

;;;###autoload
(defun rubric-fix-all ()
  "Apply all fixes that keep the meaning of the file."
  (interactive)
  (eglot-execute-command (rubric--server) "rubric.fixAll" (vector (rubric--uri))))

;;;###autoload
(defun rubric-stop ()
  "Stop all running work; finished judgements are kept."
  (interactive)
  (pcase-dolist (`(,token . ,server) rubric--running)
    (jsonrpc-notify server :window/workDoneProgress/cancel (list :token token)))
  (message "Rubric: %s" (if rubric--running "stopped; finished judgements are kept" "nothing is running")))

(defun rubric--file-text (file)
  "Return the text of FILE."
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

;;; Showing results

(defun rubric--show (name text)
  "Show TEXT in a buffer called NAME."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(defun rubric--score-text (criterion)
  "Return the judgement of CRITERION in a few words."
  (concat (if-let ((score (plist-get criterion :score)))
              (format "%s of 10" score)
            (if (eq (plist-get criterion :satisfied) t) "met" "not met"))
          (when (equal (plist-get criterion :gate) "failed") ", gate failed")))

(defun rubric--result-lines (result)
  "Return RESULT as lines."
  (append
   (list (string-join
          (delq nil (list (plist-get result :eval_id)
                          (cond ((plist-get result :error) "error")
                                ((eq (plist-get result :partial) t) "partial")
                                ((plist-get result :verdict))
                                (t "no verdict"))
                          (when-let ((score (plist-get result :score_exact))) (format "(%s)" score))
                          (when-let ((grade (plist-get (plist-get result :scorecard) :grade))) (concat "grade " grade))))
          "  "))
   (when-let ((problem (plist-get result :error))) (list (concat "  " problem)))
   (cl-loop for evaluator across (plist-get result :evaluator_results)
            append (cons (format "  %s  %s" (plist-get evaluator :name)
                                 (or (plist-get evaluator :verdict) (plist-get evaluator :status)))
                         (cl-loop for criterion across (plist-get evaluator :criteria)
                                  collect (format "    %s: %s  %s" (plist-get criterion :id) (rubric--score-text criterion)
                                                  (or (plist-get criterion :reasoning) "")))))))

(defun rubric--show-graded (graded)
  "Show the results of GRADED."
  (let ((lines (cl-loop for result across (plist-get graded :results)
                        append (append (rubric--result-lines result) (list "")))))
    (rubric--show "*rubric*" (if lines (string-join lines "\n") "Nothing was graded.\n"))
    (message "Rubric: %s" (if (eq (plist-get graded :stopped) t) "stopped" "graded"))))

;;; Judging

(define-error 'rubric-move "The judging user goes back, skips or stops")

(defun rubric--moves (place)
  "Return the moves from the decision at PLACE, which counts from 0.
It is an alist of label to move."
  (append (when (> place 0) '(("back" . back))) '(("skip this case" . skip) ("stop judging" . stop))))

(defun rubric--choose (prompt choices place)
  "Ask with PROMPT for one of CHOICES, an alist of label to value.
PLACE counts from 0.  Signal `rubric-move' if the user goes back, skips
or stops."
  (let* ((moves (rubric--moves place))
         (offered (append choices moves))
         (label nil))
    ;; Enter on an empty line chooses nothing, so it is asked again.
    (while (not (assoc label offered))
      (setq label (completing-read (concat prompt " ") (mapcar #'car offered) nil t)))
    (when (assoc label moves) (signal 'rubric-move (list (cdr (assoc label moves)))))
    (cdr (assoc label choices))))

(defun rubric--number (line legal)
  "Return LINE as a number, or nil if it is not a number or not LEGAL."
  (when (string-match-p "\\`\\(?:[0-9]+[.,]?[0-9]*\\|[.,][0-9]+\\)\\'" line)
    (let ((number (string-to-number (string-replace "," "." line))))
      (when (<= (plist-get legal :minimum) number (plist-get legal :maximum)) number))))

(defun rubric--move-named (line moves)
  "Return the one of MOVES whose label begins with LINE, or nil."
  (let ((labels (all-completions line moves)))
    (when (and (not (string-empty-p line)) (= (length labels) 1))
      (cdr (assoc (car labels) moves)))))

(defun rubric--read-number (prompt legal place)
  "Ask with PROMPT until a number that is LEGAL is entered.
PLACE counts from 0.  Signal `rubric-move' if the user goes back, skips
or stops."
  (let* ((moves (rubric--moves place))
         (labels (mapcar #'car moves))
         (complaint "")
         (number nil))
    (setq prompt (format "%s %s to %s (or %s): " prompt (plist-get legal :minimum) (plist-get legal :maximum)
                         (string-join labels ", ")))
    (while (not number)
      (let* ((line (string-trim (completing-read (concat complaint prompt) labels)))
             (move (rubric--move-named line moves)))
        (when move (signal 'rubric-move (list move)))
        (setq number (rubric--number line legal)
              complaint (if (string-empty-p line) "Nothing was typed. "
                          (format "`%s` is not %s. " line (plist-get legal :description))))))
    number))

(defun rubric--labelled (choice)
  "Return CHOICE as a pair of label and value."
  (let ((label (plist-get choice :label)) (range (plist-get choice :scoreRange)))
    (cons (if (string-empty-p range) label (format "%s  (%s) %s" label range (plist-get choice :meaning)))
          (plist-get choice :value))))

(defun rubric--decide (item place count)
  "Ask for a decision on ITEM, the one at PLACE of COUNT.
Return it with its reason."
  (let* ((prompt (string-trim-right (format "%s (%d of %d): %s %s" (plist-get item :id) (1+ place) count
                                            (plist-get item :text) (plist-get item :gate))))
         (value (if-let ((legal (plist-get item :number)))
                    (rubric--read-number prompt legal place)
                  (rubric--choose prompt (mapcar #'rubric--labelled (plist-get item :choices)) place))))
    (list :value value
          :reasoning (if rubric-ask-reasons (read-string "Why? (optional) ") ""))))

(defun rubric--decisions (items)
  "Ask for a decision on each of ITEMS, in turn; the user may go back."
  (let ((decisions (make-vector (length items) nil)) (place 0))
    (while (< place (length items))
      (when (rubric--is-over) (signal 'rubric-move '(stop)))
      (condition-case move
          (progn
            (aset decisions place (rubric--decide (elt items place) place (length items)))
            (cl-incf place))
        (rubric-move (if (eq (cadr move) 'back) (cl-decf place) (signal 'rubric-move (cdr move))))))
    decisions))

(defun rubric--page (form)
  "Return the title and the sections of FORM as text."
  (concat (plist-get form :title) "\n"
          (cl-loop for section across (plist-get form :sections)
                   concat (format "\n%s\n%s\n" (plist-get section :title) (plist-get section :text)))))

(defun rubric--judge (form)
  "Let the user fill in FORM, and return the decisions.
Show the case, and ask for one decision after the other."
  (rubric--show "*rubric case*" (rubric--page form))
  (condition-case move
      (list :decisions (rubric--decisions (plist-get form :items)))
    (rubric-move (if (eq (cadr move) 'skip) '(:skipped t) '(:stopped t)))
    (quit '(:stopped t))))

;;; Waiting for the user

;; Eglot sends what the handler of a request returns, and Emacs cannot handle another message of the server until then.
;; So the handler returns a placeholder, which is not sent, and the question is queued until the user is not typing.

(cl-defstruct rubric--question
  "A question of a server: its parameters, and the message for its answer."
  server parameters message is-announced is-over)

(defvar rubric--placeholders (make-hash-table :test #'eq :weakness 'key)
  "The parameters of questions by the placeholders of their answers.")

(defvar rubric--waiting nil
  "The queued questions, the oldest first.")

(defvar rubric--asked nil
  "The question that the user is answering.")

(defvar rubric--timer nil
  "The timer that asks the next question.")

(cl-defmethod eglot-handle-request ((_server rubric-server) (_method (eql 'rubric/judge)) &rest question)
  "Return a placeholder for the user's answer to QUESTION."
  ;; If the placeholder is sent after all, it is a valid answer.
  (let ((placeholder (list :skipped t :reason "This version of Eglot cannot wait for a person.")))
    (puthash placeholder question rubric--placeholders)
    placeholder))

(cl-defmethod jsonrpc-connection-send ((server rubric-server) &rest message)
  "Send MESSAGE to SERVER, unless it is a placeholder for a later answer."
  (let ((question (gethash (plist-get message :result) rubric--placeholders)))
    (if (null question)
        (cl-call-next-method)
      (setq rubric--waiting
            (append rubric--waiting
                    (list (make-rubric--question :server server :parameters question :message message))))
      (rubric--ask-soon 0))))

(cl-defmethod eglot-handle-notification ((server rubric-server) (_method (eql '$/cancelRequest)) &key id &allow-other-keys)
  "Mark the question ID of SERVER as cancelled."
  (dolist (question (remq nil (cons rubric--asked rubric--waiting)))
    (when (and (eq (rubric--question-server question) server)
               (equal (plist-get (rubric--question-message question) :id) id))
      (setf (rubric--question-is-over question) t))))

(defun rubric--is-over ()
  "Return whether the current question was cancelled."
  (and rubric--asked (rubric--question-is-over rubric--asked)))

(defun rubric--is-pending (question)
  "Return whether the server still waits for the answer to QUESTION."
  (and (not (rubric--question-is-over question)) (jsonrpc-running-p (rubric--question-server question))))

(defun rubric--is-typing ()
  "Return whether the user types something that a question would interrupt.
Besides the minibuffer, that is a search or a prefix argument."
  (or (active-minibuffer-window) overriding-terminal-local-map))

(defun rubric--is-busy ()
  "Return whether the user is typing, or a command runs."
  (or (rubric--is-typing) (input-pending-p) (> (length (this-command-keys-vector)) 0)))

(defun rubric--ask-soon (seconds)
  "Ask the first queued question in SECONDS, if the user is not busy then."
  (when rubric--timer (cancel-timer rubric--timer))
  (setq rubric--timer (run-at-time seconds nil #'rubric--ask-next)))

(defun rubric--ask-next ()
  "Ask the first queued question once the user is not busy."
  (setq rubric--timer nil
        rubric--waiting (cl-remove-if-not #'rubric--is-pending rubric--waiting))
  ;; The next question is asked after the current one has been answered.
  (when (and rubric--waiting (not rubric--asked))
    (if (rubric--is-busy)
        (let ((question (car rubric--waiting)))
          (when (and (rubric--is-typing) (not (rubric--question-is-announced question)))
            (setf (rubric--question-is-announced question) t)
            (message "Rubric: a question is waiting until you are done here"))
          (rubric--ask-soon 0.2))
      (rubric--ask (pop rubric--waiting)))))

(defun rubric--ask (question)
  "Ask the user QUESTION, and send the answer."
  ;; Quitting stops judging.
  (let ((answer '(:result (:stopped t))))
    (setq rubric--asked question)
    (unwind-protect
        (condition-case problem
            (setq answer (list :result (rubric--judge (plist-get (rubric--question-parameters question) :form))))
          (error (setq answer (list :error (list :code -32603 :message (error-message-string problem))))))
      (setq rubric--asked nil)
      (rubric--answer question answer)
      (rubric--ask-soon 0))))

(defun rubric--answer (question answer)
  "Send ANSWER to QUESTION in place of its placeholder."
  (when (rubric--is-pending question)
    (let ((message (copy-sequence (rubric--question-message question))))
      (cl-remf message :result)
      (apply #'jsonrpc-connection-send (rubric--question-server question) (append message answer)))))

(provide 'rubric)
;;; rubric.el ends here
