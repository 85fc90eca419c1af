// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title FiatTokenBase
/// @notice Balances, allowances, pause and blacklist as FiatToken v2.2 has them.
abstract contract FiatTokenBase {
    uint8 public constant decimals = 6;
    uint256 private constant BLACKLISTED = 1 << 255;

    /// @dev Ownership and pause share a slot, as they do in Circle's layout.
    address public owner;
    bool public initialized;
    address public pauser;
    bool public paused;
    address public blacklister;

    string public name;
    string public symbol;
    string public version;
    uint256 public totalSupply;

    /// @dev The highest bit means "blacklisted", the rest is the balance, so that a transfer reads
    ///      one slot per account.
    mapping(address => uint256) internal balanceAndBlacklistStates;
    mapping(address => mapping(address => uint256)) internal allowed;
    mapping(address => bool) public isMinter;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Mint(address indexed minter, address indexed to, uint256 amount);
    event OwnershipTransferred(address previousOwner, address newOwner);
    event Pause();
    event Unpause();
    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    modifier notBlacklisted(address account) {
        _requireNotBlacklisted(account);
        _;
    }

    function balanceOf(address account) external view returns (uint256) {
        return _balanceOf(account);
    }

    function isBlacklisted(address account) external view returns (bool) {
        return _isBlacklisted(account);
    }

    function allowance(address holder, address spender) external view returns (uint256) {
        return allowed[holder][spender];
    }

    function transfer(address to, uint256 value)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(from)
        notBlacklisted(to)
        returns (bool)
    {
        require(value <= allowed[from][msg.sender], "ERC20: transfer amount exceeds allowance");
        _transfer(from, to, value);
        allowed[from][msg.sender] -= value;
        return true;
    }

    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function increaseAllowance(address spender, uint256 increment)
        external
        whenNotPaused
        returns (bool)
    {
        _approve(msg.sender, spender, allowed[msg.sender][spender] + increment);
        return true;
    }

    function decreaseAllowance(address spender, uint256 decrement)
        external
        whenNotPaused
        returns (bool)
    {
        uint256 current = allowed[msg.sender][spender];
        require(decrement <= current, "ERC20: decreased allowance below zero");
        _approve(msg.sender, spender, current - decrement);
        return true;
    }

    function _approve(address holder, address spender, uint256 value) internal {
        require(holder != address(0), "ERC20: approve from the zero address");
        require(spender != address(0), "ERC20: approve to the zero address");
        allowed[holder][spender] = value;
        emit Approval(holder, spender, value);
    }

    function _transfer(address from, address to, uint256 value) internal {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        require(value <= _balanceOf(from), "ERC20: transfer amount exceeds balance");
        _setBalance(from, _balanceOf(from) - value);
        _setBalance(to, _balanceOf(to) + value);
        emit Transfer(from, to, value);
    }

    function _balanceOf(address account) internal view returns (uint256) {
        return balanceAndBlacklistStates[account] & (BLACKLISTED - 1);
    }

    function _setBalance(address account, uint256 balance) internal {
        require(balance <= BLACKLISTED - 1, "FiatTokenV2_2: Balance exceeds (2^255 - 1)");
        require(!_isBlacklisted(account), "FiatTokenV2_2: Account is blacklisted");
        balanceAndBlacklistStates[account] = balance;
    }

    function _isBlacklisted(address account) internal view returns (bool) {
        return balanceAndBlacklistStates[account] & BLACKLISTED != 0;
    }

    function _setBlacklisted(address account, bool listed) internal {
        uint256 balance = _balanceOf(account);
        balanceAndBlacklistStates[account] = listed ? balance | BLACKLISTED : balance;
    }

    function _requireNotBlacklisted(address account) internal view {
        require(!_isBlacklisted(account), "Blacklistable: account is blacklisted");
    }
}
